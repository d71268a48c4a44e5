import type { Identity } from '../../identity/module.ts';
import { stranger } from '../../platform/audit/actor.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Geolocation } from './geolocation.ts';
import type { AnswersFor, Redirects } from './redirect-path.ts';
import { redirects } from './redirects.ts';

interface Options {
  identity: Pick<Identity, 'answerAvatar' | 'passwords'>;
  /** Where visitors are; the bundled database of countries unless told otherwise. */
  geolocation?: Geolocation | undefined;
  answersFor?: AnswersFor | undefined;
}

/** Wires the path of redirects; what else has public pages is registered with it. */
export function redirectModule(
  core: Core,
  { identity, geolocation, answersFor }: Options,
): Redirects & Module {
  const { audit, checkpoints, databases, hosts, settings } = core;
  const made = redirects({
    clicks: databases.clicks,
    checkpoints,
    main: databases.main,
    onFormLimit: ({ userId, ...limit }) => audit.note(stranger(''), 'form.limited', { ...limit }, userId),
    space: core.space,
    writes: core.writes,
    isOwnHost: hosts.isOwn,
    isOwnAddress: hosts.isOwnAddress,
    ownPlace: hosts.place,
    baseUrl: core.baseUrl,
    now: core.clock.now,
    monotonic: core.clock.monotonic,
    nextTurn: core.turns.next,
    randomBytes: core.random.bytes,
    passwords: identity.passwords,
    trustedProxies: () => settings.current().trustedProxies,
    privacy: () => settings.current().privacy,
    log: core.log,
    geolocation,
    answersFor,
  });
  made.mount('avatar', identity.answerAvatar);
  settings.onChange((names) => {
    if (names.includes('privacy')) made.settingsChanged();
  });
  return {
    ...made,
    close() {
      try {
        made.flush();
      } finally {
        made.close();
      }
    },
  };
}
