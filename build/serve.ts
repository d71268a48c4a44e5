import { ensureBuilt } from './freshness.ts';
import { runServer } from './processes.ts';

// `npm run serve -- …` and `npm run seed -- …`: runs the server bundle with these arguments and returns its exit code.
process.exitCode = (await ensureBuilt()) || (await runServer(process.argv.slice(2)));
