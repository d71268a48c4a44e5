import type { messages as source } from '../../content/unmatched/messages.ts';

export const missedVisits: (typeof source)['en'] = {
  missed: {
    title: 'Visitas perdidas',
    path: 'Caminho',
    kind: 'Tipo',
    kinds: {
      unknown: 'Alias desconhecido',
      bare: 'Domínio sem caminho',
      probe: 'Sondagem automática',
    },
    visits: 'Visitas',
    referrer: 'Última origem',
    when: 'Última visita',
    taken: 'já tem um link',
    create: 'Criar link',
    delete: 'Eliminar',
    deleteAll: 'Eliminar tudo',
    all: 'todos os tipos',
    deleteAllTitle: 'Eliminar as visitas perdidas: {what}?',
    deleteAllHelp: 'Não podem ser restauradas. As estatísticas dos links não mudam.',
    deleted: 'Nenhuma visita eliminada | Uma visita eliminada | {n} visitas eliminadas',
    none: 'Nenhuma visita perdida',
    noneHelp: 'Quando alguém abre um URL sem link, ele aparece aqui.',
  },
};
