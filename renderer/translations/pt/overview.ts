import type { messages as source } from '../../visits/overview/messages.ts';

export const overview: (typeof source)['en'] = {
  overview: {
    scope: { campaign: 'Campanha', channel: 'Canal', domain: 'Domínio' },
    title: 'Visão geral',
    newLink: 'Novo link',
    links: 'Links',
    active: 'Ativos: {count}',
    top: { title: 'Mais clicados por', campaigns: 'Campanhas', channels: 'Canais', domains: 'Domínios' },
    topLinks: 'Links mais visitados',
    allLinks: 'Todos os links',
    noTop: 'Sem cliques neste período',
    instance: {
      disk: {
        low: 'O disco do servidor está quase cheio. Os links curtos continuam a funcionar, mas as visitas já não são contadas. Liberte espaço.',
        full: 'O disco do servidor está cheio. Os links curtos continuam a funcionar, mas não é possível guardar nada de novo. Elimine ficheiros ou links, ou liberte espaço.',
      },
      damage:
        'A base de dados do servidor está danificada. Não altere nada, pare o servidor e restaure uma cópia de segurança. Não voltará a arrancar com o ficheiro danificado.',
      secrets: {
        other:
          'Alguns segredos não podem ser abertos porque o ficheiro vault.key da pasta de dados é de outro computador: {what}. Reponha o vault.key certo e reinicie o servidor, ou introduza-os novamente.',
        missing:
          'Alguns segredos não podem ser abertos porque falta o ficheiro vault.key na pasta de dados: {what}. Também não é possível guardar novos. Reponha o vault.key e reinicie o servidor.',
      },
      kinds: {
        'second-factor': 'a autenticação de dois fatores',
        'mailer-key': 'as chaves de API de email',
        'webhook-secret': 'os segredos dos webhooks',
        'backup-passphrase': 'a frase-passe das cópias de segurança',
        'single-sign-on-secret': 'o segredo do início de sessão único',
        'mail-password': 'a palavra-passe do servidor de email',
        'fleet-secret': 'as chaves da frota',
      },
      lost: 'Desde o arranque do servidor, uma visita não foi contada porque o disco estava cheio. Mesmo assim, chegou ao destino. | Desde o arranque do servidor, {count} visitas não foram contadas porque o disco estava cheio. Mesmo assim, chegaram aos destinos.',
      clock:
        'O relógio do servidor avançou muito em {since}. Nada é eliminado por antiguidade até o relógio funcionar normalmente durante um dia. Verifique a data do servidor.',
    },
    empty: {
      title: 'O primeiro link curto está à distância de um URL colado',
      description:
        'Cole aqui qualquer URL ou importe os links que já tem noutro lado. Os cliques aparecem nesta página à medida que acontecem.',
      creating: 'Cole aqui qualquer URL. Os cliques aparecem nesta página à medida que acontecem.',
      none: 'Ainda sem links',
      seeing: 'Os links e os seus cliques aparecem nesta página assim que existirem.',
      import: 'Importar links',
    },
    hints: {
      paste: 'encurtar URL da área de transferência',
      create: 'novo link',
      palette: 'pesquisa e comandos',
      shortcuts: 'todos os atalhos',
    },
    first: {
      label: 'URL a encurtar',
      placeholder: 'https://example.com/um-endereco-muito-longo',
      shorten: 'Encurtar',
      invalid: 'Introduza um URL, como https://example.com.',
    },
  },
};
