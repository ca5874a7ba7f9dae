import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { MOUNT } from './api/client';
import { queryClient } from './api/query-client';
import { App } from './app';
import { preload } from './frame/screens';
import { consumeCode } from './frame/sign-in-code';
import { applyTheme } from './frame/theme';
import './styles/tokens.css';
import './styles/base.css';

applyTheme();
// Before other code can store the address.
const code = consumeCode();
const base = MOUNT.replace(/\/$/, '');
preload(location.pathname.slice(base.length));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={base}>
          <App code={code} />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
