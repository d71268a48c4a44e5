// Loaded into a server that a test or the bench starts (`--import`): whoever started it holds the other end of its standard
// input, and however that ends, killed or not, the server ends as well.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const end = () => process.kill(process.pid, 'SIGTERM');
  process.stdin.on('end', end).on('error', end);
  process.stdin.resume();
  process.stdin.unref?.();
}
