import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const images = new URL('../../../server/platform/images/images.ts', import.meta.url).href;

// Electron has the system's GLib in each of its processes on Linux, and sharp's native build brings its own (decision
// 0103). With some versions the first drawing ends the process, with others only some do; here every mistake does.
test.runIf(process.platform === 'linux')(
  'drawings and uploads become pictures in Electron on Linux',
  async () => {
    const script = `
    Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });
    const { fitPng, rasterized } = await import(${JSON.stringify(images)});
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="9" height="9"/></svg>';
    const png = await rasterized(drawing, 72);
    const { width, height } = await fitPng(png, { width: 16, height: 16 }, { field: 'picture', party: 'a test' });
    process.stdout.write(JSON.stringify([width, height]));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      {
        env: { ...process.env, LD_PRELOAD: 'libgobject-2.0.so.0', G_DEBUG: 'fatal-criticals' },
      },
    );
    expect(JSON.parse(stdout)).toEqual([16, 8]);
  },
);
