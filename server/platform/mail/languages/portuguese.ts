import type { LetterTexts } from '../letter-texts.ts';

export const portuguese: LetterTexts = {
  language: 'pt',
  direction: 'ltr',
  sentBy: 'Enviado pelo Waypost em {host}.',
  switchOff: 'Pode desativar estes e-mails em “Definições”, “Preferências”.',
  test: {
    subject: 'As suas definições de e-mail funcionam',
    text: ['Esta é a mensagem de teste que enviou a si. O Waypost já pode enviar e-mails.'],
  },
  invitation: {
    subject: 'Convite para {host}',
    text: ['{by} convidou-o(a) a criar uma conta em {host}.'],
    action: 'Criar a sua conta',
    note: 'O convite funciona uma vez, até {until}. Se não sabe do que se trata, ignore-o.',
  },
  teamInvitation: {
    subject: 'Junte-se a “{team}” em {host}',
    text: ['{by} convidou-o(a) para a equipa “{team}” em {host}.'],
    action: 'Entrar na equipa',
    note: 'O convite expira em {until}. Se não sabe do que se trata, ignore-o.',
  },
  passwordReset: {
    subject: 'Repor a sua palavra-passe',
    text: ['Alguém, esperamos que tenha sido você, pediu uma nova palavra-passe para {username} em {host}.'],
    action: 'Escolher uma nova palavra-passe',
    note: 'A ligação funciona uma vez, durante 30 minutos. Se não a pediu, ignore esta mensagem: a sua palavra-passe não muda.',
  },
  passwordChanged: {
    subject: 'A sua palavra-passe foi reposta',
    text: [
      'A palavra-passe de {username} em {host} foi reposta por e-mail. Todas as sessões e chaves de API terminaram.',
      'Se não foi você, proteja primeiro o seu e-mail e depois reponha de novo a palavra-passe.',
    ],
  },
  newSignIn: {
    subject: 'Novo início de sessão em {host}',
    text: [
      'Alguém iniciou sessão como {username} a partir de um dispositivo ou de uma rede nova:',
      '{device}, {place}, {time}',
      'Se foi você, não precisa de fazer nada. Se não, mude a sua palavra-passe: isso termina as outras sessões.',
    ],
    action: 'Ver as suas sessões',
  },
  domainFailed: {
    subject: '{domain} já não aponta para aqui',
    text: [
      'Os registos DNS de {domain} já não levam a {host}, por isso as suas ligações curtas não funcionam.',
    ],
    action: 'Ver o domínio',
  },
  certificateFailed: {
    subject: 'O certificado de {domain} não pode ser renovado',
    text: [
      'O certificado expira em {until} e a renovação continua a falhar. Depois disso, os navegadores avisarão os visitantes das suas ligações curtas.',
    ],
    action: 'Ver o domínio',
  },
  brokenLinks: {
    subject: 'Alguns destinos não respondem',
    text: ['Estas ligações levam a páginas que já não respondem:', '{links}'],
    action: 'Abrir as suas ligações',
  },
};
