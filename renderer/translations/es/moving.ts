import type { messages as source } from '../../content/moving/messages.ts';

export const moving: (typeof source)['en'] = {
  moving: {
    action: 'Mover a…',
    title: 'Mover {n} elemento a otra cuenta | Mover {n} elementos a otra cuenta',
    description: 'Los enlaces cortos, las estadísticas y el historial van incluidos. Puedes deshacerlo.',
    to: 'Cuenta',
    personal: 'Tu cuenta personal',
    related: '¿Qué hacer con lo que usan?',
    choices: {
      move: { name: 'Moverlo también', help: 'Lo que se queda aquí lo pierde.' },
      copy: { name: 'Copiarlo', help: 'Cada cuenta tiene el suyo.' },
      leave: { name: 'Dejarlo aquí', help: 'Lo que se mueve lo pierde.' },
    },
    uses: 'Usan: {names}.',
    more: '{n} más',
    taken: '{name} (ya está allí)',
    codes: '{n} código QR va incluido. | {n} códigos QR van incluidos.',
    submit: 'Mover',
    done: '{n} elemento movido a {name}. | {n} elementos movidos a {name}.',
    none: 'No se ha movido nada.',
    skipped: {
      not_found: '{n} ya no existe. | {n} ya no existen.',
      role_too_low: '{n} se queda: no puedes moverlo. | {n} se quedan: no puedes moverlos.',
      plan_limit:
        '{n} se queda: se ha alcanzado el límite del plan. | {n} se quedan: se ha alcanzado el límite del plan.',
      domain:
        '{n} se queda: su dominio no se puede usar allí. | {n} se quedan: sus dominios no se pueden usar allí.',
    },
  },
};
