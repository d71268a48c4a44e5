import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../../api/instance.ts';
import { useRole } from '../../api/use-role.ts';

/** The sections of the settings. Icons are literals, so that they are bundled. */
const icons = {
  profile: 'i-lucide-user-round',
  preferences: 'i-lucide-sliders-horizontal',
  security: 'i-lucide-shield',
  keys: 'i-lucide-key-round',
  privacy: 'i-lucide-eye-off',
  team: 'i-lucide-users-round',
  webhooks: 'i-lucide-webhook',
  users: 'i-lucide-users-round',
  plans: 'i-lucide-layers',
  instance: 'i-lucide-server',
  sso: 'i-lucide-building-2',
  mail: 'i-lucide-mail',
  backups: 'i-lucide-archive',
  sharing: 'i-lucide-radio',
  fleet: 'i-lucide-network',
  desktop: 'i-lucide-app-window',
  about: 'i-lucide-info',
} as const;

export type SectionName = keyof typeof icons;

export interface Section {
  readonly name: SectionName;
  readonly icon: string;
  readonly label: string;
}

const administration: readonly SectionName[] = [
  'users',
  'plans',
  'instance',
  'sso',
  'mail',
  'backups',
  'sharing',
  'fleet',
];

/** Features that older servers do not support, by their names in `meta.features`. */
const features: Partial<Record<SectionName, string>> = {
  privacy: 'privacy',
  webhooks: 'webhooks',
  sso: 'sso',
  mail: 'mail',
  backups: 'backup',
  sharing: 'sharing',
  fleet: 'fleet',
};

/** The settings sections available to the user in the active account, grouped. */
export function useSettingsSections() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const { isAdministrator, isTeam, mayAll } = useRole();

  /** Profile and security belong to the personal account; webhooks are for team managers. */
  const ofTeam = computed<SectionName[]>(() =>
    mayAll('manage') ? ['team', 'privacy', 'preferences', 'keys', 'webhooks'] : ['team', 'keys'],
  );
  const ofPerson = computed<SectionName[]>(() => [
    'profile',
    'preferences',
    'security',
    'keys',
    'privacy',
    ...(store.can('teams') ? (['team'] as const) : []),
    'webhooks',
  ]);

  function sections(names: readonly SectionName[]): Section[] {
    return names
      .filter((name) => features[name] === undefined || store.can(features[name]))
      .map((name) => ({ name, icon: icons[name], label: labelOf(name) }));
  }

  function labelOf(name: SectionName): string {
    return t(name === 'team' && !isTeam.value ? 'settings.sections.teams' : `settings.sections.${name}`);
  }

  const groups = computed(() => [
    isTeam.value
      ? { name: 'team', sections: sections(ofTeam.value) }
      : { name: 'account', sections: sections(ofPerson.value) },
    ...(isAdministrator.value ? [{ name: 'administration', sections: sections(administration) }] : []),
    { name: 'more', sections: sections(window.desktop ? ['desktop', 'about'] : ['about']) },
  ]);

  return { groups, every: computed(() => groups.value.flatMap((group) => group.sections)) };
}
