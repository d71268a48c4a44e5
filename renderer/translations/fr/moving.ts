import type { messages as source } from '../../content/moving/messages.ts';

export const moving: (typeof source)['en'] = {
  moving: {
    action: 'Déplacer vers…',
    title: 'Déplacer {n} élément vers un autre compte | Déplacer {n} éléments vers un autre compte',
    description: 'Liens courts, statistiques et historique suivent. Vous pouvez annuler.',
    to: 'Compte',
    personal: 'Votre compte personnel',
    related: 'Que faire des éléments utilisés ?',
    choices: {
      move: { name: 'Déplacer aussi', help: 'Ce qui reste ici les perd.' },
      copy: { name: 'Copier', help: 'Chaque compte a les siens.' },
      leave: { name: 'Laisser ici', help: 'Ce qui est déplacé les perd.' },
    },
    uses: 'Éléments utilisés : {names}.',
    more: '{n} de plus',
    taken: '{name} (déjà présent)',
    codes: '{n} QR code suit. | {n} QR codes suivent.',
    submit: 'Déplacer',
    done: '{n} élément déplacé vers {name}. | {n} éléments déplacés vers {name}.',
    none: 'Rien n’a été déplacé.',
    skipped: {
      not_found: '{n} n’existe plus. | {n} n’existent plus.',
      role_too_low:
        '{n} reste : vous ne pouvez pas le déplacer. | {n} restent : vous ne pouvez pas les déplacer.',
      plan_limit:
        '{n} reste : la limite du forfait est atteinte. | {n} restent : la limite du forfait est atteinte.',
      domain:
        '{n} reste : son domaine n’y est pas utilisable. | {n} restent : leurs domaines n’y sont pas utilisables.',
    },
  },
};
