import { ensureBuilt } from './freshness.ts';
import { runServer } from './processes.ts';

// `npm run serve -- …` and `npm run seed -- …`: the server bundle with these arguments, its exit code as it is.
process.exitCode = (await ensureBuilt()) || (await runServer(process.argv.slice(2)));
