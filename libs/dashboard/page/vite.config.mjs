import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The page lies in `dist/page`: `index.html`, and `assets` with hashed names. All addresses in it are relative to the
 * `<base>` that the server fills in, so that it can be mounted anywhere. No inline scripts and styles, which its
 * Content-Security-Policy forbids; small files are not put into others as `data:` for the same reason.
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
    // Their makers ask that their notice goes with what is made of it.
    license: { fileName: 'licenses.md' },
  },
});
