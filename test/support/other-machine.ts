import { spawnSync } from 'node:child_process';
import { provideProgram } from './provision.ts';

/** A simulated second machine, connected only to this one. */
export interface OtherMachine {
  /** Its address in the shared network, and ours. */
  address: string;
  ownAddress: string;
  /** The command prefix that runs a command there. */
  prefix: readonly string[];
  /** Runs a command there and returns what it wrote. Throws when it fails. */
  run(command: readonly string[]): string;
  setPlugged(isPlugged: boolean): void;
  /** Removes the machine and its connection. */
  remove(): void;
}

/**
 * Creates one from a network namespace and a pair of virtual Ethernet devices (ip-netns(8), veth(4)), with its own host
 * name. Returns the reason if that is impossible: not Linux, not root, or a kernel without them. The addresses are
 * reserved for benchmarking (RFC 2544, 198.18.0.0/15), so they belong to nobody.
 */
export async function otherMachine(hostName: string): Promise<OtherMachine | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a second machine takes Linux and root';
  if (!(await provideProgram('ip', 'iproute2'))) return 'a second machine takes the program ip';
  const namespace = `waypost-${process.pid}`;
  const [near, far] = [`wp${process.pid}`, `wpx${process.pid}`];
  const [address, ownAddress] = ['198.18.77.2', '198.18.77.1'];
  const prefix = [
    ...['ip', 'netns', 'exec', namespace, 'unshare', '--uts'],
    ...['sh', '-c', `hostname ${hostName} && exec "$0" "$@"`],
  ];
  const remove = () => {
    // The cable goes with the machine that one of its ends is in.
    spawnSync('ip', ['netns', 'delete', namespace]);
  };
  try {
    execute(['ip', 'netns', 'add', namespace]);
    execute(['ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace]);
    execute(['ip', 'address', 'add', `${ownAddress}/30`, 'dev', near]);
    execute(['ip', '-n', namespace, 'address', 'add', `${address}/30`, 'dev', far]);
    execute(['ip', '-n', namespace, 'link', 'set', 'lo', 'up']);
    execute(['ip', '-n', namespace, 'link', 'set', far, 'up']);
    execute(['ip', 'link', 'set', near, 'up']);
    execute([...prefix, 'true']);
  } catch (error) {
    remove();
    return `a second machine cannot be made here: ${(error as Error).message}`;
  }
  return {
    address,
    ownAddress,
    prefix,
    run: (command) => execute([...prefix, ...command]),
    // At the other end: without a device of its own network, this machine would send by its default route.
    setPlugged(isPlugged) {
      execute(['ip', '-n', namespace, 'link', 'set', far, isPlugged ? 'up' : 'down']);
    },
    remove,
  };
}

function execute([program = '', ...args]: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(error?.message ?? `${program} ended with ${status}: ${stderr.trim()}`);
  return stdout;
}
