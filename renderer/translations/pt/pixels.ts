import type { messages as source } from '../../content/pixels/messages.ts';

export const pixels: (typeof source)['en'] = {
  pixels: {
    title: 'Píxeis',
    search: 'Pesquisar píxeis',
    create: 'Novo píxel',
    saved: 'Píxel guardado',
    made: '“{name}” criado',
    deleted: '“{name}” eliminado',
    list: {
      name: 'Píxel',
      tag: 'Etiqueta',
      fires: 'O que dispara',
      links: 'Links',
      made: 'Criado',
      actions: 'Ações para {name}',
    },
    firesShort: {
      pictures: 'Uma imagem | Uma imagem | {n} imagens',
      script: 'Script',
    },
    empty: {
      title: 'Retargeting dos seus visitantes',
      description:
        'Um píxel carrega por instantes a etiqueta de um serviço de publicidade ou de estatísticas antes de redirecionar, para que os visitantes possam ser medidos e recontactados.',
    },
    actions: {
      open: 'O que dispara',
      edit: 'Editar',
      copyTag: 'Copiar etiqueta',
      links: 'Mostrar os seus links',
      delete: 'Eliminar',
    },
    confirm: {
      title: 'Eliminar “{name}”?',
      description: 'É removido de todos os links. Não é possível anular.',
      action: 'Eliminar píxel',
    },
    form: {
      newTitle: 'Novo píxel',
      editTitle: 'Editar píxel',
      newDescription: 'Adicionar a etiqueta de um serviço de publicidade ou de estatísticas.',
      editDescription: 'Editar o nome ou a etiqueta do píxel.',
      create: 'Criar píxel',
      save: 'Guardar',
      type: 'Serviço',
      typeFixed: 'O serviço não pode ser alterado. Crie outro píxel para outro serviço.',
      name: 'Nome',
      namePlaceholder: 'Loja, todos os visitantes',
      nameRequired: 'Introduza um nome.',
      tag: 'Etiqueta',
      tagHelp: 'Por exemplo {example}. Também pode colar o código completo.',
      tagInvalid: 'Introduza apenas o ID, como {example}.',
      tagUnusual: 'Os IDs de {service} costumam ser como {example}. Mesmo assim, pode guardar este.',
      taken: 'Extraída do código que colou.',
      find: 'Onde encontrar',
    },
    page: {
      one: 'Píxel',
      missing: 'Píxel não encontrado',
      missingHint: 'Pode ter sido eliminado.',
      toList: 'Todos os píxeis',
      back: 'Voltar a todos os píxeis',
      edit: 'Editar píxel',
      what: 'O que dispara',
      whatHint: 'Uma página carrega isto para cada visitante e depois redireciona para o destino.',
      where: 'Onde dispara',
      links: 'Links que o usam',
      noLinks: 'Ainda nenhum link o usa. Escolha-o ao editar um link, em “Píxeis”.',
      allLinks: 'Mostrar todos ({n})',
      unknown: 'Este servidor não indica o que os seus píxeis carregam.',
      full: 'Acesso total',
      sandboxed: 'Isolado',
    },
    fires: {
      picture: 'Imagem: um pedido, sem scripts',
      script: 'O script do próprio serviço',
      copy: 'Copiar URL',
      pictureHosts: 'Só pode ser redirecionado para estes anfitriões:',
      scriptHosts: 'Só pode enviar dados para estes anfitriões:',
      anyHost: 'O contentor decide o que mais é carregado: qualquer URL https é permitido.',
    },
    where: {
      branded: 'Links nos seus domínios de marca',
      brandedText: 'Acesso total: o serviço vê a visita como em qualquer outra página.',
      own: 'Links em {host}',
      ownPicture:
        'Isolado: a imagem é pedida a partir de uma página que não consegue aceder a esta interface de administração. O pedido é o mesmo.',
      ownScript:
        'Isolado: o script corre sem cookies nem armazenamento, numa página que não consegue aceder a esta interface de administração. Alguns serviços contam assim menos visitas.',
    },
    ofLink: {
      title: 'Píxeis',
      before: 'Carregados para cada visitante antes de redirecionar.',
      within: 'Carregados com a página do link.',
      show: 'Mostrar o que {name} carrega',
    },
    field: {
      title: 'Píxeis',
      choose: 'Escolher píxeis',
      chosen: 'Nenhum | Um píxel | {n} píxeis',
      help: 'Carregados por instantes antes de redirecionar.',
      none: 'Ainda sem píxeis.',
      make: 'Criar um',
      notInPlan: 'O seu plano não inclui píxeis.',
    },
    vendors: {
      gtmpixel: {
        name: 'Google Tag Manager',
        where: 'tagmanager.google.com: abra o contentor. O ID está no topo, junto a “Pré-visualizar”.',
      },
      gapixel: {
        name: 'Google Analytics',
        where: 'Administração, depois Fluxos de dados: abra o fluxo Web. O ID de medição começa por G-.',
      },
      fbpixel: {
        name: 'Meta (Facebook)',
        where: 'Gestor de Eventos, depois Origens de dados: selecione o píxel. O ID está por baixo do nome.',
      },
      adwordspixel: {
        name: 'Google Ads',
        where:
          'Objetivos, depois Conversões: abra a ação e a configuração da etiqueta. Copie o valor de send_to ou, para remarketing, só o número AW-.',
      },
      linkedinpixel: {
        name: 'LinkedIn',
        where: 'Campaign Manager, depois Dados, Gestor de sinais: Insight Tag. Copie o ID de parceiro.',
      },
      twitterpixel: {
        name: 'X (Twitter)',
        where: 'X Ads, depois Ferramentas, Gestor de eventos: o ID do píxel está no cabeçalho.',
      },
      adrollpixel: {
        name: 'AdRoll',
        where:
          'Definições, depois Píxel: o código tem adroll_adv_id e adroll_pix_id. Introduza ambos, separados por uma barra.',
      },
      quorapixel: {
        name: 'Quora',
        where: "Gestor de anúncios, depois Quora Pixel: configurar. O ID está em qp('init', …).",
      },
      pinterest: {
        name: 'Pinterest',
        where: 'Gestor de anúncios, depois Conversões, Gestor de etiquetas: o ID da etiqueta.',
      },
      bing: {
        name: 'Microsoft Advertising',
        where: 'Ferramentas, depois Etiqueta UET: o número na coluna do ID da etiqueta.',
      },
      snapchat: {
        name: 'Snapchat',
        where: 'Gestor de eventos: abra o píxel. O ID tem cinco grupos de letras e dígitos.',
      },
      reddit: { name: 'Reddit', where: 'Gestor de eventos: o ID do píxel começa por t2_ ou a2_.' },
      tiktok: {
        name: 'TikTok',
        where: 'Gestor de eventos, depois Eventos Web: o ID do píxel, por baixo do nome.',
      },
    },
  },
};
