import type { messages as source } from '../../operations/desktop-settings/messages.ts';

export const desktop: (typeof source)['en'] = {
  desktop: {
    title: 'Esta app',
    description: 'Como o Waypost se comporta neste computador, em todas as instâncias.',
    openAtLogin: 'Abrir ao iniciar sessão neste computador',
    openAtLoginHelp: 'O Waypost arranca sem janela, para que os links curtos funcionem logo.',
    openAtLoginNone: 'Só disponível com o Waypost instalado, não quando corre a partir do código-fonte.',
    openAtLoginApproval: 'Permita-o em Definições do Sistema, Geral, Itens de início.',
    background: 'Continuar a funcionar com a janela fechada',
    backgroundHelp:
      'Os links curtos neste computador só funcionam com o Waypost aberto. Fica na área de notificação.',
    notifications: 'Notificações do sistema',
    notificationsHelp:
      'Quando um domínio deixa de apontar para aqui, um início de sessão falha ou o servidor para.',
    shortcut: 'Encurtar URL da área de transferência em qualquer app',
    shortcutHelp: 'Copie um URL em qualquer app e prima estas teclas para criar e copiar um link curto.',
    shortcutTaken: 'Outra app usa estas teclas. Escolha outras.',
    shortcutNone: 'Sem teclas',
    shortcutRecord: 'Prima as novas teclas…',
    shortcutChange: 'Alterar',
    shortcutClear: 'Remover as teclas',
    updates: 'Procurar atualizações',
    updatesHelp: 'Uma vez por dia, no URL de atualização desta versão. Nada sobre si é enviado.',
    updatesNone: 'Esta versão não tem URL de atualização, por isso nunca procura.',
    update: 'O Waypost {version} está disponível',
    updateGet: 'Obter',
    updateLatest: 'Tem a versão mais recente: {version}.',
    updateFailed: 'O URL de atualização não responde. O Waypost volta a procurar amanhã.',
    offer: 'Um link pede para encurtar um URL',
  },
};
