import type { messages as source } from '../../network/sharing/messages.ts';

export const sharing: (typeof source)['en'] = {
  sharing: {
    title: 'Partilha na rede',
    description:
      'Permitir que outros computadores e telemóveis da rede abram esta instância e os seus links curtos.',
    switch: 'Partilhar na minha rede',
    on: 'Qualquer pessoa na sua rede pode abrir os URLs abaixo. Tudo, exceto os links curtos, exige uma conta ou uma chave.',
    off: 'Só este computador lhe pode aceder.',
    fixed: 'Definido no arranque; não pode ser alterado aqui.',
    https: 'Início de sessão e administração (encriptado)',
    httpsHelp:
      'As palavras-passe, as chaves e tudo o que é enviado a estes URLs é encriptado. Mantêm-se enquanto este computador conservar o endereço IP.',
    httpsProblem:
      'Até isto ser resolvido, os outros computadores não podem iniciar sessão aqui por https. Os links curtos continuam a funcionar.',
    otherPort: 'Escolher outra porta',
    portChosen: 'Porta alterada',
    fingerprintLabel: 'Impressão digital desta instância (SHA-256)',
    fingerprint:
      'Quando outro computador abre um destes URLs, pede para confirmar este servidor. Compare esta impressão digital com a que lá aparece: tem de coincidir toda.',
    rootHelp: 'Os navegadores avisam sobre o certificado até a raiz estar instalada no dispositivo:',
    root: 'descarregar certificado de raiz',
    addresses: 'Links curtos, não encriptados',
    addressesHelp:
      'Qualquer dispositivo os pode abrir sem aviso, como é preciso para links curtos e códigos QR.',
    none: 'Este computador não está numa rede neste momento. A verificação repete-se a cada poucos segundos.',
    copy: 'Copiar {url}',
    onlyHere: 'Os links curtos ainda começam por {url}',
    onlyHereHelp: 'Só este computador os consegue abrir.',
    useNow: 'Usar {url}',
    use: 'Usar nos links curtos',
    used: 'Usado nos links curtos',
    useDone: 'Os links curtos usam agora {url}',
    plain: 'Permitir também início de sessão sem encriptação',
    plainIsOff:
      'Os outros computadores são redirecionados para os URLs encriptados. Aqui não se aceitam chaves nem palavras-passe.',
    plainIsOn:
      'Qualquer pessoa na sua rede pode ler o que é enviado a estes URLs, incluindo palavras-passe e chaves.',
    plainOn: 'Início de sessão sem encriptação permitido',
    plainOff: 'Chaves e palavras-passe só são aceites por https',
    consent: {
      title: 'Permitir palavras-passe e chaves sem encriptação?',
      description:
        'Qualquer pessoa na mesma rede, como convidados do Wi-Fi ou um dispositivo comprometido, pode então ler e usar as palavras-passe e chaves de quem inicia sessão sem https. Faça-o apenas numa rede em que confia em todos os dispositivos, e só para apps que não podem usar https.',
      action: 'Compreendo, permitir',
    },
    badge: 'Partilhada na sua rede',
    switchedOn: 'Partilha ativada',
    switchedOff: 'Partilha desativada',
  },
};
