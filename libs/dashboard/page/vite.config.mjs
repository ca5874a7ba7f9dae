import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The page lies in `dist/page`: `index.html`, and `assets` with hashed names. All addresses in it are relative to the
 * `<base>` that the server fills in, so that it can be mounted anywhere. Its Content-Security-Policy forbids inline
 * scripts and styles; small files are not inlined as `data:` for the same reason.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  logLevel: 'warn',
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Their licences require the notice in derived files.
    license: { fileName: 'licenses.md' },
  },
});
