import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { rendererPlugins, rendererRoot } from './build/renderer-plugins.ts';
import { sourceWorkers } from './build/source-workers.ts';

/**
 * The one renderer build is served at /admin/ by the server and as app://waypost/admin/ by the desktop app.
 * electron-vite insists on `./` in production, which breaks pages at deeper addresses; this runs after it.
 */
function servedBelow(base: string): Plugin {
  return { name: 'waypost:base', config: () => ({ base }) };
}

export default defineConfig({
  main: {
    plugins: [sourceWorkers()],
    build: {
      sourcemap: true,
      rollupOptions: { input: { index: 'main/index.ts', server: 'server/index.ts' } },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script can require nothing but `electron`, and cannot be a module.
      externalizeDeps: false,
      lib: { entry: 'preload/index.ts', formats: ['cjs'] },
    },
  },
  renderer: {
    root: rendererRoot,
    plugins: [rendererPlugins(), servedBelow('/admin/')],
    build: {
      // The browser life meets more browsers than the Chromium inside Electron.
      target: 'es2022',
      minify: true,
      rollupOptions: { input: 'renderer/index.html' },
    },
  },
});
