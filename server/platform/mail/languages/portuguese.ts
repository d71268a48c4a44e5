import type { LetterTexts } from '../letter-texts.ts';

export const portuguese: LetterTexts = {
  language: 'pt',
  direction: 'ltr',
  sentBy: 'Enviado pelo Waypost em {host}.',
  switchOff: 'Pode desativar estes emails em “Definições”, “Preferências”.',
  test: {
    subject: 'As suas definições de email funcionam',
    text: ['Esta é a mensagem de teste que acabou de enviar. O Waypost já pode enviar emails.'],
  },
  invitation: {
    subject: 'Convite para {host}',
    text: ['{by} enviou-lhe um convite para criar uma conta em {host}.'],
    action: 'Criar a sua conta',
    note: 'O convite funciona uma vez, até {until}. Se não sabe do que se trata, ignore-o.',
  },
  teamInvitation: {
    subject: 'Convite para “{team}” em {host}',
    text: ['{by} enviou-lhe um convite para a equipa “{team}” em {host}.'],
    action: 'Entrar na equipa',
    note: 'O convite expira em {until}. Se não sabe do que se trata, ignore-o.',
  },
  passwordReset: {
    subject: 'Reponha a sua palavra-passe',
    text: ['Foi pedida uma nova palavra-passe para {username} em {host}, esperamos que por si.'],
    action: 'Escolher uma nova palavra-passe',
    note: 'O link funciona uma vez, durante 30 minutos. Se não o pediu, ignore esta mensagem: a sua palavra-passe não muda.',
  },
  passwordChanged: {
    subject: 'A sua palavra-passe foi reposta',
    text: [
      'A palavra-passe de {username} em {host} foi reposta por email. Todas as sessões e chaves de API terminaram.',
      'Se não fez este pedido, proteja primeiro o seu email e depois reponha de novo a palavra-passe.',
    ],
  },
  addressChanged: {
    subject: 'O seu endereço de email foi alterado',
    text: [
      'A conta {username} em {host} tem agora outro endereço de email, pelo que as suas mensagens já não chegam aqui.',
      'Se não fez esta alteração, inicie sessão, altere a palavra-passe e volte a indicar o seu endereço. Se não conseguir iniciar sessão, contacte um administrador de {host}.',
    ],
    action: 'Verificar a conta',
  },
  newSignIn: {
    subject: 'Novo início de sessão em {host}',
    text: [
      'Alguém iniciou sessão como {username} a partir de um novo dispositivo ou rede:',
      '{device}, {place}, {time}',
      'Se reconhece este início de sessão, não precisa de fazer nada. Caso contrário, altere a sua palavra-passe: isso termina as outras sessões.',
    ],
    action: 'Ver as suas sessões',
  },
  domainFailed: {
    subject: '{domain} já não aponta para aqui',
    text: ['Os registos DNS de {domain} já não levam a {host}, por isso os seus links curtos não funcionam.'],
    action: 'Ver o domínio',
  },
  certificateFailed: {
    subject: 'O certificado de {domain} não pode ser renovado',
    text: [
      'O certificado expira em {until} e a renovação continua a falhar. Depois disso, os navegadores avisarão os visitantes dos seus links curtos.',
    ],
    action: 'Ver o domínio',
  },
  brokenLinks: {
    subject: 'Alguns destinos não respondem',
    text: ['Estes links levam a páginas que já não respondem:', '{links}'],
    action: 'Abrir os seus links',
  },
};
