import type { messages as source } from '../../operations/mail/messages.ts';

export const mail: (typeof source)['en'] = {
  mail: {
    title: 'Email',
    description:
      'Enviar convites, reposições de palavra-passe e avisos por email. Tudo o resto funciona sem isto.',
    noAddress: 'Nenhum URL público definido',
    noAddressHelp:
      'Os links nos emails só funcionariam neste computador, por isso os convites e os links de palavra-passe não são enviados. Defina primeiro o URL público.',
    setAddress: 'Definir o URL público',
    off: 'Ainda não são enviados emails. Introduza um servidor de email para começar.',
    host: 'Servidor de email',
    hostHelp: 'Deixe vazio para não enviar emails.',
    port: 'Porta',
    security: 'Segurança',
    securities: {
      tls: 'TLS (normalmente porta 465)',
      starttls: 'STARTTLS, obrigatório (normalmente porta 587)',
      none: 'Nenhuma',
    },
    plain:
      'Qualquer pessoa na sua rede pode ler os emails, incluindo os links para novas palavras-passe. Só podem ser usados servidores da sua própria rede.',
    user: 'Utilizador',
    userHelp: 'Deixe vazio se o servidor não o pedir.',
    password: 'Palavra-passe',
    passwordSet: 'Guardada. Introduza uma nova para a substituir.',
    passwordHelp: 'Guardada com encriptação, enviada apenas a este servidor e nunca mostrada.',
    from: 'Remetente',
    fromHelp: 'O endereço de onde vêm os emails.',
    test: 'Enviar uma mensagem de teste',
    tested: 'O servidor de email aceitou a mensagem de teste. Veja a sua caixa de entrada.',
    testSaved: 'Guarde as alterações antes de testar.',
    waiting: '{count} email à espera de ser enviado. | {count} emails à espera de ser enviados.',
    failed: 'A última tentativa falhou a {when}',
  },
};
