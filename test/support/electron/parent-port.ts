// Loaded before the server's bundle: gives it the `process.parentPort` that a utility process has.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { version } = createRequire(import.meta.url)('electron/package.json');
Object.defineProperty(process.versions, 'electron', { value: version, enumerable: true });
// Preloaded for this process; the programs that it starts are not Electron's.
delete process.env.LD_PRELOAD;

const port = Object.assign(new EventEmitter(), {
  postMessage(message: unknown) {
    process.send?.(message);
  },
});
Object.defineProperty(process, 'parentPort', { value: port, enumerable: true });

// Messages wait for the first listener. Listening also keeps an otherwise idle process alive, like in a utility
// process.
const waiting: unknown[] = [];
process.on('message', (data) => {
  if (port.listenerCount('message') > 0) port.emit('message', { data, ports: [] });
  else waiting.push(data);
});
port.on('newListener', (name) => {
  if (name !== 'message') return;
  setImmediate(() => {
    for (const data of waiting.splice(0)) port.emit('message', { data, ports: [] });
  });
});
// Chromium ends a utility process whose browser process is gone, without asking it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// It may have exited before this listener existed. The server's threads load this too, and have no channel.
if (isMainThread && !process.connected) process.kill(process.pid, 'SIGKILL');
