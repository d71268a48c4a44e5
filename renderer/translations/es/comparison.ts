import type { messages as source } from '../../content/comparison/messages.ts';

export const comparison: (typeof source)['en'] = {
  comparison: {
    title: 'Comparar estadísticas',
    name: 'Nombre',
    change: 'Cambio',
    figure: '{name}: un clic. | {name}: {clicks} clics.',
    gone: 'Ya no está disponible',
    remove: 'Quitar {name}',
    removeColumn: 'Quitar',
    addLinks: 'Añadir enlaces',
    addHint: 'Compara hasta {n} a la vez.',
    full: 'Puedes comparar {n} a la vez.',
    empty: 'Aún no hay nada que comparar',
    emptyHint: 'Elige hasta {n} enlaces, campañas o canales para verlos en un mismo gráfico.',
    add: { campaign: 'Añadir campaña', channel: 'Añadir canal' },
    short: { link: 'Enlaces', campaign: 'Campaña', channel: 'Canal' },
  },
};
