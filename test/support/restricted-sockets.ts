import { spawnSync } from 'node:child_process';

/** Numbers of Linux, the same on every machine. */
const families: Record<string, number> = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 };

/**
 * Becomes a program that can only open sockets of some families, as under systemd's `RestrictAddressFamilies`: other
 * sockets fail with EAFNOSUPPORT. Perl is part of every Debian, and can tell the kernel so.
 */
const script = `
  my @families = split /,/, shift;
  my @program = ([0x20, 0, 0, 0], [0x15, 0, @families + 2, 41], [0x20, 0, 0, 16]);
  push @program, [0x15, @families - $_, 0, $families[$_]] for 0 .. $#families;
  push @program, [0x06, 0, 0, 0x50000 + 97], [0x06, 0, 0, 0x7fff0000];
  my $filter = join '', map { pack 'SCCL', @$_ } @program;
  my $described = pack 'S x6 P', scalar @program, $filter;
  syscall(157, 38, 1, 0, 0, 0) == 0 && syscall(157, 22, 2, $described) == 0 or die "seccomp: $!";
  exec @ARGV or die "exec: $!";
`;

/** Whether programs can be started this way here. */
export const canRestrictSockets =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  spawnSync('perl', ['-e', script, '2', 'true']).status === 0;

/** What to put in front of a command, for the families that a systemd unit names. */
export function withFamiliesOf(unit: string): string[] {
  const named = /^RestrictAddressFamilies=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  const numbers = named.map((name) => {
    const number = families[name];
    if (number === undefined) throw new Error(`no number is known for ${name}`);
    return number;
  });
  return ['perl', '-e', script, numbers.join(',')];
}
