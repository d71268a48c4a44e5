import type { messages as source } from '../../content/comparison/messages.ts';

export const comparison: (typeof source)['en'] = {
  comparison: {
    title: 'Comparar estatísticas',
    name: 'Nome',
    change: 'Variação',
    figure: '{name}: um clique. | {name}: {clicks} cliques.',
    gone: 'Já não está disponível',
    remove: 'Remover {name}',
    removeColumn: 'Remover',
    addLinks: 'Adicionar links',
    addHint: 'Compare até {n} de cada vez.',
    full: 'Pode comparar {n} de cada vez.',
    empty: 'Ainda não há nada para comparar',
    emptyHint: 'Escolha até {n} links, campanhas ou canais para os ver num só gráfico.',
    add: { campaign: 'Adicionar campanha', channel: 'Adicionar canal' },
    short: { link: 'Links', campaign: 'Campanha', channel: 'Canal' },
  },
};
