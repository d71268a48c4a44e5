import type { messages as source } from '../../identity/two-factor/messages.ts';

export const twoFactor: (typeof source)['en'] = {
  twoFactor: {
    title: 'Autenticação de dois fatores',
    description: 'Pedir um código do telemóvel ao iniciar sessão.',
    on: 'Ativada',
    off: 'Desativada',
    isOff: 'Só a palavra-passe protege esta conta. Configurar uma app de autenticação demora um minuto.',
    isOn: 'Iniciar sessão exige um código da app de autenticação. Se a perder, use um código de recuperação.',
    setUp: 'Configurar',
    cancel: 'Cancelar',
    nowOff: 'A autenticação de dois fatores está desativada',
    setup: {
      scan: 'Leia o código com a sua app de autenticação',
      orType: 'Ou introduza este segredo:',
      picture: 'Código QR para uma app de autenticação',
      copySecret: 'Copiar o segredo',
      code: 'Código',
      codeHelp: 'O código de seis dígitos da app.',
      sixDigits: 'Introduza o código de seis dígitos da app.',
      password: 'Palavra-passe atual',
      left: 'Tempo restante: {time}',
      over: 'Este código expirou. Recomece e leia o novo.',
      again: 'Recomeçar',
      enable: 'Ativar',
    },
    codes: {
      title: 'Guarde estes códigos de recuperação',
      description:
        'Cada código permite iniciar sessão uma vez se perder a app de autenticação. Não será possível voltar a vê-los.',
      label: 'Códigos de recuperação',
      copy: 'Copiar',
      save: 'Descarregar',
      kept: 'Feito, guardei-os',
      done: 'Concluído',
      fileHead: 'Códigos de recuperação de {account} em {address}. Cada um funciona uma vez.',
    },
    disable: {
      open: 'Desativar…',
      warning:
        'Depois disso, só a palavra-passe protege esta conta, e os códigos de recuperação deixam de funcionar.',
      how: 'Confirme a sua identidade',
      byCode: 'Com um código',
      byPassword: 'Com a palavra-passe',
      code: 'Código',
      codeHelp: 'Da app de autenticação, ou um código de recuperação.',
      password: 'Palavra-passe atual',
      submit: 'Desativar',
    },
    renew: {
      open: 'Novos códigos de recuperação…',
      warning: 'Os códigos antigos deixam de funcionar de imediato.',
      submit: 'Gerar novos códigos',
    },
  },
};
