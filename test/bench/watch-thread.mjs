// Loaded into the measured server (`--import`): how long its thread was busy without a turn for anybody else. Processor time
// beside the clock, because the clock also counts what other programs of the machine took. SIGUSR2 writes both to the file
// that --title names, and begins anew.
import { writeFileSync } from 'node:fs';

const file = process.title;
let held = [];
let cpu = process.threadCpuUsage();
let at = performance.now();
const tick = () => {
  const used = process.threadCpuUsage(cpu);
  held.push({ busy: (used.user + used.system) / 1000, passed: performance.now() - at });
  if (held.length > 200_000) held = held.slice(-100_000);
  cpu = process.threadCpuUsage();
  at = performance.now();
};
setInterval(tick, 1).unref();
process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ busy: figures('busy'), passed: figures('passed') }));
  held = [];
});

function figures(name) {
  const sorted = held.map((each) => each[name]).sort((one, other) => one - other);
  return { worst: sorted.at(-1) ?? 0, p999: sorted[Math.floor(sorted.length * 0.999)] ?? 0 };
}
