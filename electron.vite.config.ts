import { join } from 'node:path';
import { defineConfig } from 'electron-vite';
import { createLogger, type Logger, type Plugin, type ServerOptions } from 'vite';
import { bundledPackages } from './build/bundled-packages.ts';
import { rendererPlugins, rendererRoot } from './build/renderer-plugins.ts';
import { sourceWorkers } from './build/source-workers.ts';
import { feedOfBuild } from './build/update-feed.ts';

/**
 * Sets the base URL. One renderer build is served at /admin/ by the server and as app://waypost/admin/ by the desktop
 * app. electron-vite forces `./` in production, which breaks pages at nested paths; this plugin runs after it.
 */
function servedBelow(base: string): Plugin {
  return { name: 'waypost:base', config: () => ({ base }) };
}

/** Vite's logger without electron-vite's warning about the base URL, which is intentional. */
function quietAboutBase(): Logger {
  const logger = createLogger();
  const { warn } = logger;
  logger.warn = (message, options) => {
    if (!message.includes('Should not set "base"')) warn(message, options);
  };
  return logger;
}

/**
 * The Vite server of the desktop page in development. The page's URL is not Vite's (main/shell/app-protocol.ts), so it
 * needs an explicit address for hot reloading; a page in the browser does not.
 */
function serverOfSources(port: string | undefined): ServerOptions {
  if (port === undefined) return {};
  const [protocol, host] = ['ws', '127.0.0.1'];
  return { host, port: Number(port), strictPort: true, ws: { protocol, host, clientPort: Number(port) } };
}

export default defineConfig(({ command }) => ({
  main: {
    plugins: [sourceWorkers(), bundledPackages('main')],
    // A packaged app has no environment variables of its own, so the value is compiled in.
    define: { builtUpdateFeed: JSON.stringify(feedOfBuild(process.env.WAYPOST_UPDATE_FEED) ?? '') },
    build: {
      sourcemap: true,
      // With two quick changes, the second build would delete files that the first app is about to load.
      emptyOutDir: command === 'build',
      rollupOptions: {
        input: { index: 'main/index.ts', server: 'server/index.ts' },
        // In the same folder, so that `import.meta.dirname` is out/main in shared chunks too.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script can only require `electron`, and cannot be a module.
      externalizeDeps: false,
      // A window opened during a build would have a page without a bridge.
      emptyOutDir: command === 'build',
      lib: { entry: 'preload/index.ts', formats: ['cjs'] },
    },
  },
  renderer: {
    root: rendererRoot,
    customLogger: quietAboutBase(),
    plugins: [rendererPlugins(), servedBelow('/admin/'), bundledPackages('renderer')],
    server: serverOfSources(process.env.WAYPOST_SOURCE_PORT),
    build: {
      // In the browser, the app also runs outside of Electron's Chromium.
      target: 'es2022',
      minify: true,
      // test/e2e/page-weight.test.ts checks the transfer size of the first page.
      chunkSizeWarningLimit: 1500,
      rollupOptions: {
        input: join(rendererRoot, 'index.html'),
        output: {
          codeSplitting: {
            // Two chunks instead of sixty: what every page needs, and what most pages share.
            groups: [
              { name: 'app', tags: ['$initial'], priority: 1 },
              { name: 'shared', minShareCount: 10 },
            ],
          },
        },
      },
    },
  },
}));
