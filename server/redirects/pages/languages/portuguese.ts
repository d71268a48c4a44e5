import type { PageTexts } from '../texts.ts';

export const portuguese: PageTexts = {
  language: 'pt',
  direction: 'ltr',
  notFound: {
    title: 'Não há nenhum link aqui',
    text: 'Verifique se o endereço está escrito corretamente ou pergunte à pessoa que o enviou.',
  },
  unknownHost: {
    title: 'Este endereço não está em uso',
    text: 'O nome que você seguiu aponta para este servidor, mas nada foi configurado para ele aqui.',
  },
  gone: { title: 'Este link foi desativado', text: 'O proprietário o retirou de uso.' },
  expired: {
    title: 'Este link expirou',
    text: 'Ele valia apenas por um certo tempo ou número de visitas.',
  },
  early: {
    title: 'Este link ainda não está aberto',
    text: 'Ele será ativado mais tarde. Volte daqui a pouco.',
  },
  unsafe: {
    title: 'Este link não leva a lugar nenhum',
    text: 'O destino não é um endereço que um navegador possa abrir com segurança.',
  },
  tooMany: {
    title: 'Tentativas demais',
    text: 'Muitos endereços que não existem foram tentados a partir da sua rede. Aguarde um minuto e tente novamente.',
  },
  unavailable: {
    title: 'Um momento, por favor',
    text: 'Este link não pode ser aberto agora. Tente novamente em um minuto.',
  },
  badMethod: { title: 'Isto é um link', text: 'Ele só pode ser aberto; não aceita envios.' },
  failed: {
    title: 'Algo deu errado aqui',
    text: 'A culpa é nossa, não sua. Tente novamente em um minuto.',
  },
  tooLarge: { title: 'Isso foi demais', text: 'O formulário enviou mais do que uma senha.' },
  landing: {
    title: 'Aqui moram links curtos',
    text: 'Este servidor abre os links curtos do seu proprietário. Acrescente a parte depois da barra para chegar ao destino.',
    signIn: 'Entrar',
  },
  password: {
    title: 'Este link é protegido',
    text: 'Digite a senha que veio com ele.',
    label: 'Senha',
    submit: 'Abrir o link',
    wrong: 'A senha não está correta. Tente novamente.',
    tooMany: 'Muitas senhas incorretas. Aguarde quinze minutos e tente novamente.',
  },
  preview: {
    title: 'Para onde este link leva',
    text: 'Olhar aqui não conta como visita.',
    destination: 'Destino',
    hidden: 'O destino é mostrado depois que a senha é digitada.',
    depends: 'Ele pode variar conforme o lugar, o dispositivo, o idioma ou o horário.',
    go: 'Abrir o link',
  },
  card: { title: 'Um link curto', go: 'Abrir o link' },
  list: { by: 'Links de {owner}', empty: 'Ainda não há links aqui.' },
  frame: {
    direct: 'Abrir diretamente',
    close: 'Fechar ou abrir',
    more: 'Saiba mais',
    email: 'Endereço de e-mail',
  },
  splash: {
    title: 'Você está sendo redirecionado',
    moment: 'Um momento, por favor',
    product: 'Veja do que se trata',
    leads: 'Este link leva a {host}',
    go: 'Continuar',
  },
  thanks: {
    taken: { title: 'Agradecemos', text: 'Sua resposta chegou.' },
    refused: {
      title: 'Não deu certo',
      text: 'Volte, confira o que você digitou e envie novamente.',
    },
    back: 'Voltar à página',
  },
  bio: {
    saveContact: 'Salvar contato',
    watch: 'Assistir ao vídeo',
    download: 'Baixar',
    name: 'Seu nome',
    email: 'Seu endereço de e-mail',
    message: 'Sua mensagem',
    send: 'Enviar',
    thanks: { title: 'Agradecemos', text: 'Sua mensagem chegou.' },
    refused: {
      title: 'Não deu certo',
      text: 'Volte, preencha todos os campos e envie o formulário novamente.',
    },
    back: 'Voltar à página',
  },
  file: {
    expired: {
      title: 'Este arquivo não está mais disponível',
      text: 'Ele valia apenas por um certo tempo ou número de downloads. Pergunte à pessoa que o enviou.',
    },
    badMethod: { title: 'Isto é um arquivo', text: 'Ele só pode ser baixado; não aceita envios.' },
    unavailable: {
      title: 'Um momento, por favor',
      text: 'Este arquivo não pode ser baixado agora. Tente novamente em um minuto.',
    },
    password: {
      title: 'Este arquivo é protegido',
      text: 'Digite a senha que veio com ele. O download começa em seguida.',
      label: 'Senha',
      submit: 'Baixar o arquivo',
      wrong: 'A senha não está correta. Tente novamente.',
      tooMany: 'Muitas senhas incorretas. Aguarde um pouco e tente novamente.',
    },
    download: {
      title: 'Um arquivo para você',
      name: 'Nome',
      size: 'Tamanho',
      hidden: 'O nome e o tamanho são mostrados depois que a senha é digitada.',
      go: 'Baixar o arquivo',
    },
    units: 'B kB MB GB TB',
  },
};
