import { join } from 'node:path';
import { defineConfig } from 'electron-vite';
import { createLogger, type Logger, type Plugin, type ServerOptions } from 'vite';
import { bundledPackages } from './build/bundled-packages.ts';
import { rendererPlugins, rendererRoot } from './build/renderer-plugins.ts';
import { sourceWorkers } from './build/source-workers.ts';
import { feedOfBuild } from './build/update-feed.ts';

/**
 * The one renderer build is served at /admin/ by the server and as app://waypost/admin/ by the desktop app.
 * electron-vite insists on `./` in production, which breaks pages at deeper addresses; this runs after it.
 */
function servedBelow(base: string): Plugin {
  return { name: 'waypost:base', config: () => ({ base }) };
}

/** Vite's logger without electron-vite's warning about the base, which is set on purpose. */
function quietAboutBase(): Logger {
  const logger = createLogger();
  const { warn } = logger;
  logger.warn = (message, options) => {
    if (!message.includes('Should not set "base"')) warn(message, options);
  };
  return logger;
}

/**
 * Where the sources of the desktop's page are served in development. The page is at no address of Vite's
 * (main/shell/app-protocol.ts), so it is told where its changes come from. A browser's page knows by itself.
 */
function serverOfSources(port: string | undefined): ServerOptions {
  if (port === undefined) return {};
  const [protocol, host] = ['ws', '127.0.0.1'];
  return { host, port: Number(port), strictPort: true, ws: { protocol, host, clientPort: Number(port) } };
}

export default defineConfig(({ command }) => ({
  main: {
    plugins: [sourceWorkers(), bundledPackages('main')],
    // A packaged app has no environment of its own, so it takes this along from the build.
    define: { builtUpdateFeed: JSON.stringify(feedOfBuild(process.env.WAYPOST_UPDATE_FEED) ?? '') },
    build: {
      sourcemap: true,
      // Of two changes in quick succession, the second build would take away what the app of the first is about to load.
      emptyOutDir: command === 'build',
      rollupOptions: {
        input: { index: 'main/index.ts', server: 'server/index.ts' },
        // Side by side, so that `import.meta.dirname` is out/main in code that two entries share, too.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script can require nothing but `electron`, and cannot be a module.
      externalizeDeps: false,
      // A window that opens meanwhile would have a page that can call nobody.
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
      // The browser life meets more browsers than the Chromium inside Electron.
      target: 'es2022',
      minify: true,
      // What the first page waits for is weighed by test/e2e/page-weight.test.ts, as it travels.
      chunkSizeWarningLimit: 1500,
      rollupOptions: {
        input: join(rendererRoot, 'index.html'),
        output: {
          codeSplitting: {
            // In one file each and not in sixty: what every page waits for, and what most of them share.
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
