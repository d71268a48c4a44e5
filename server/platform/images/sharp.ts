import module from 'node:module';

type Sharp = typeof import('sharp').default;

/** The picture library; its WebAssembly build in Electron on Linux. */
export const sharp: Sharp =
  process.platform === 'linux' && process.versions.electron ? await withoutNativeBuild() : await load();

async function load(): Promise<Sharp> {
  return (await import('sharp')).default;
}

/**
 * On Linux, Electron loads the system's GLib while sharp's native build brings its own, and the process crashes when it
 * decodes a picture or drawing (https://sharp.pixelplumbing.com/install#electron-and-linux). If its native build is
 * missing, sharp uses the other one.
 */
async function withoutNativeBuild(): Promise<Sharp> {
  const hooks = module.registerHooks({
    resolve(specifier, context, next) {
      if (!/^@img\/sharp-linux[a-z]*-\w+\/sharp\.node$/.test(specifier)) return next(specifier, context);
      throw Object.assign(new Error(`${specifier} is not used in Electron`), { code: 'MODULE_NOT_FOUND' });
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
