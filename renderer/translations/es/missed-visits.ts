import type { messages as source } from '../../content/unmatched/messages.ts';

export const missedVisits: (typeof source)['en'] = {
  missed: {
    title: 'Visitas perdidas',
    path: 'Ruta',
    kind: 'Tipo',
    kinds: {
      unknown: 'Alias desconocido',
      bare: 'Dominio sin ruta',
      probe: 'Sondeo automático',
    },
    visits: 'Visitas',
    referrer: 'Último referente',
    when: 'Última visita',
    taken: 'ya tiene un enlace',
    create: 'Crear enlace',
    delete: 'Eliminar',
    deleteAll: 'Eliminar todo',
    all: 'todos los tipos',
    deleteAllTitle: '¿Eliminar las visitas perdidas: {what}?',
    deleteAllHelp: 'No se pueden restaurar. Las estadísticas de los enlaces no cambian.',
    deleted: 'Ninguna visita eliminada | Una visita eliminada | {n} visitas eliminadas',
    none: 'No hay visitas perdidas',
    noneHelp: 'Cuando alguien abre una URL sin enlace, aparece aquí.',
  },
};
