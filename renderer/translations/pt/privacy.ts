import type { messages as source } from '../../visits/privacy/messages.ts';

export const privacy: (typeof source)['en'] = {
  privacy: {
    title: 'Privacidade dos visitantes',
    description: 'Aplica-se a novas visitas aos seus links, páginas e códigos.',
    byInstance: 'Definido para todos pelo administrador.',
    noReferrer: {
      label: 'Não guardar origens',
      help: 'De onde vêm os visitantes.',
    },
    noBrowser: {
      label: 'Não guardar navegadores',
      help: 'Navegador, sistema, dispositivo e idioma.',
    },
    noPlace: {
      label: 'Não guardar locais',
      help: 'País, região, cidade e endereço IP.',
    },
    noSignedIn: {
      label: 'Não contar quem tem sessão iniciada',
      help: 'No URL próprio desta instância, não são contadas no navegador em que usam a app. Nos domínios de marca, e com a app de computador também no URL desta instância, não são contadas num navegador em que tenham aberto um dos seus links a partir da app nos últimos 30 dias.',
    },
    keep: {
      label: 'Guardar de cada visita',
      help: 'Com “Só a contagem” não há visitantes únicos. Os cliques já guardados não mudam.',
      clicks: 'Cliques com os seus detalhes',
      counts: 'Só a contagem',
      nothing: 'Absolutamente nada',
    },
    parameters: {
      title: 'Parâmetros do URL',
      description: 'Contados nas novas visitas, além dos valores UTM.',
      label: 'Nomes',
      help: 'Até cinco, separados por vírgulas. As estatísticas mostram os valores com que os links curtos são abertos, como /sale?ref=poster.',
    },
    own: {
      title: 'As suas próprias visitas',
      description: 'Abra uma vez cada URL abaixo em cada navegador cujas visitas não devam contar.',
    },
    notKept: {
      intro: 'Não é guardado de novas visitas: {what}',
      referrer: 'origens',
      browser: 'navegadores, sistemas, dispositivos, idiomas',
      place: 'locais',
      visitors: 'tudo exceto o número',
      clicks: 'tudo',
      signedin: 'visitas de quem tem sessão iniciada',
    },
  },
};
