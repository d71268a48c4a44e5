import type { messages as source } from '../../identity/browser-sign-in/messages.ts';

export const browserSignIn: (typeof source)['en'] = {
  browserSignIn: {
    start: 'Iniciar sessão com o navegador',
    waiting: 'Continue no navegador',
    waitingHelp: 'Inicie lá sessão e permita o acesso. O Waypost continua depois sozinho.',
    again: 'Abrir o navegador novamente',
    cancel: 'Cancelar',
    denied: 'O acesso foi recusado no navegador. Tente novamente ou inicie sessão de outra forma.',
    connect: {
      page: 'Permitir acesso',
      title: '{device} pede acesso',
      lead: 'à sua conta {account} em {name}',
      gets: 'Se permitir, essa app pode',
      powers: {
        all: 'ver, criar, editar e eliminar tudo o que está ao seu alcance',
        settings: 'alterar a sua conta e criar chaves de API',
        until: 'manter a sessão até a terminar em Definições, Segurança',
      },
      warning:
        'Permita isto apenas se acabou de escolher “Iniciar sessão com o navegador” no Waypost, neste computador.',
      allow: 'Permitir',
      deny: 'Recusar',
      other: 'Usar outra conta',
      incomplete: 'Este link não funciona',
      incompleteHelp: 'Falta-lhe uma parte. Escolha novamente “Iniciar sessão com o navegador” na app.',
      home: 'Ir para o Waypost',
    },
  },
};
