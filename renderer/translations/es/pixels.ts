import type { messages as source } from '../../content/pixels/messages.ts';

export const pixels: (typeof source)['en'] = {
  pixels: {
    title: 'Píxeles',
    search: 'Buscar píxeles',
    create: 'Nuevo píxel',
    saved: 'Píxel guardado',
    made: '«{name}» creado',
    deleted: '«{name}» eliminado',
    list: {
      name: 'Píxel',
      tag: 'Etiqueta',
      fires: 'Qué carga',
      links: 'Enlaces',
      made: 'Creado',
      actions: 'Acciones de {name}',
    },
    firesShort: {
      pictures: 'Una imagen | Una imagen | {n} imágenes',
      script: 'Script',
    },
    empty: {
      title: 'Vuelve a llegar a tus visitantes',
      description:
        'Un píxel carga brevemente la etiqueta de un servicio de publicidad o analítica antes de redirigir, para poder medir a los visitantes y volver a mostrarles anuncios.',
    },
    actions: {
      open: 'Qué carga',
      edit: 'Editar',
      copyTag: 'Copiar etiqueta',
      links: 'Mostrar sus enlaces',
      delete: 'Eliminar',
    },
    confirm: {
      title: '¿Eliminar «{name}»?',
      description: 'Se quita de todos los enlaces. No se puede deshacer.',
      action: 'Eliminar píxel',
    },
    form: {
      newTitle: 'Nuevo píxel',
      editTitle: 'Editar píxel',
      newDescription: 'Añadir la etiqueta de un servicio de publicidad o analítica.',
      editDescription: 'Editar el nombre o la etiqueta del píxel.',
      create: 'Crear píxel',
      save: 'Guardar',
      type: 'Servicio',
      typeFixed: 'El servicio no se puede cambiar. Crea otro píxel para otro servicio.',
      name: 'Nombre',
      namePlaceholder: 'Tienda, todos los visitantes',
      nameRequired: 'Introduce un nombre.',
      tag: 'Etiqueta',
      tagHelp: 'Por ejemplo, {example}. También puedes pegar el código completo.',
      tagInvalid: 'Introduce solo el identificador, por ejemplo {example}.',
      tagUnusual:
        'Los identificadores de {service} suelen tener la forma {example}. Puedes guardar este de todos modos.',
      taken: 'Extraída del código que has pegado.',
      find: 'Dónde encontrarla',
    },
    page: {
      one: 'Píxel',
      missing: 'Píxel no encontrado',
      missingHint: 'Puede que se haya eliminado.',
      toList: 'Todos los píxeles',
      back: 'Volver a todos los píxeles',
      edit: 'Editar píxel',
      what: 'Qué carga',
      whatHint: 'Una página carga esto para cada visitante y luego redirige al destino.',
      where: 'Dónde se carga',
      links: 'Enlaces que lo usan',
      noLinks: 'Aún no lo usa ningún enlace. Selecciónalo al editar un enlace, en «Píxeles».',
      allLinks: 'Mostrar los {n}',
      unknown: 'Este servidor no informa de lo que cargan sus píxeles.',
      full: 'Acceso completo',
      sandboxed: 'Aislado',
    },
    fires: {
      picture: 'Imagen: una solicitud, sin scripts',
      script: 'El script del propio servicio',
      copy: 'Copiar URL',
      pictureHosts: 'Solo se puede redirigir a estos hosts:',
      scriptHosts: 'Solo puede enviar datos a estos hosts:',
      anyHost: 'El contenedor decide qué más se carga: se permite cualquier URL https.',
    },
    where: {
      branded: 'Enlaces en tus dominios propios',
      brandedText: 'Acceso completo: el servicio ve la visita como en cualquier otra página.',
      own: 'Enlaces en {host}',
      ownPicture:
        'Aislado: la imagen se solicita desde una página que no puede acceder a esta interfaz de administración. La solicitud es la misma.',
      ownScript:
        'Aislado: el script se ejecuta sin cookies ni almacenamiento, en una página que no puede acceder a esta interfaz de administración. Algunos servicios cuentan entonces menos visitas.',
    },
    ofLink: {
      title: 'Píxeles',
      before: 'Se cargan para cada visitante antes de redirigir.',
      within: 'Se cargan con la página del enlace.',
      show: 'Mostrar qué carga {name}',
    },
    field: {
      title: 'Píxeles',
      choose: 'Elegir píxeles',
      chosen: 'Ninguno | Un píxel | {n} píxeles',
      help: 'Se cargan brevemente antes de redirigir.',
      none: 'Aún no hay píxeles.',
      make: 'Crear uno',
      notInPlan: 'Tu plan no incluye píxeles.',
    },
    vendors: {
      gtmpixel: {
        name: 'Google Tag Manager',
        where: 'tagmanager.google.com: abre el contenedor. Su ID está arriba, junto a «Vista previa».',
      },
      gapixel: {
        name: 'Google Analytics',
        where: 'Administrar y, luego, Flujos de datos: abre el flujo web. El ID de medición empieza por G-.',
      },
      fbpixel: {
        name: 'Meta (Facebook)',
        where:
          'Administrador de eventos y, luego, Orígenes de datos: selecciona el píxel. Su ID está debajo del nombre.',
      },
      adwordspixel: {
        name: 'Google Ads',
        where:
          'Objetivos y, luego, Conversiones: abre la acción y la configuración de su etiqueta. Copia el valor de send_to, o solo el número AW- para remarketing.',
      },
      linkedinpixel: {
        name: 'LinkedIn',
        where:
          'Campaign Manager y, luego, Datos, Gestor de señales: Insight Tag. Copia el ID de socio (partner ID).',
      },
      twitterpixel: {
        name: 'X (Twitter)',
        where: 'X Ads y, luego, Herramientas, Administrador de eventos: el ID del píxel está en la cabecera.',
      },
      adrollpixel: {
        name: 'AdRoll',
        where:
          'Ajustes (Settings) y, luego, Pixel: el código contiene adroll_adv_id y adroll_pix_id. Introduce los dos, separados por una barra.',
      },
      quorapixel: {
        name: 'Quora',
        where: "Ads Manager y, luego, Quora Pixel: configuración. El ID está en qp('init', …).",
      },
      pinterest: {
        name: 'Pinterest',
        where: 'Administrador de anuncios y, luego, Conversiones, Gestor de etiquetas: el ID de la etiqueta.',
      },
      bing: {
        name: 'Microsoft Advertising',
        where: 'Herramientas y, luego, Etiqueta UET: el número de la columna Id. de etiqueta.',
      },
      snapchat: {
        name: 'Snapchat',
        where: 'Administrador de eventos: abre el píxel. Su ID tiene cinco grupos de letras y cifras.',
      },
      reddit: {
        name: 'Reddit',
        where: 'Events Manager: el ID del píxel empieza por t2_ o a2_.',
      },
      tiktok: {
        name: 'TikTok',
        where: 'Administrador de eventos y, luego, Eventos web: el ID del píxel, debajo del nombre.',
      },
    },
  },
};
