import { writeComponentTypes } from './component-types.ts';
import { runScript, runTool } from './processes.ts';

/**
 * The type checker takes both cores, so the other two, which take a second, go first.
 */
await writeComponentTypes();
const results = {
  'format and lint': await runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  types: await runTool('vue-tsc/bin/vue-tsc.js', ['--build']),
};

const failed = Object.entries(results).filter(([, code]) => code !== 0);
for (const [name] of failed) process.stderr.write(`check: ${name} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
