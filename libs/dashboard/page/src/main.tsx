import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { MOUNT } from './api/client';
import { queryClient } from './api/query-client';
import { App } from './app';
import { takeCode } from './frame/sign-in-link';
import { applyTheme } from './frame/theme';
import './styles/tokens.css';
import './styles/base.css';

applyTheme();
// Before anything else may keep the address.
const code = takeCode();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={MOUNT.replace(/\/$/, '')}>
          <App code={code} />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
