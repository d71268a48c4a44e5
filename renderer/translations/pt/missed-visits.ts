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
    delete: 'Excluir',
    deleteAll: 'Excluir tudo',
    all: 'todos os tipos',
    deleteAllTitle: 'Excluir as visitas perdidas: {what}?',
    deleteAllHelp: 'Elas não podem ser restauradas. As estatísticas dos links não mudam.',
    deleted: 'Nenhuma visita excluída | Uma visita excluída | {n} visitas excluídas',
    none: 'Nenhuma visita perdida',
    noneHelp: 'Os endereços sem link que alguém abrir aparecem aqui.',
  },
};
