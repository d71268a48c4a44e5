import type { PageTexts } from '../texts.ts';

export const spanish: PageTexts = {
  language: 'es',
  direction: 'ltr',
  notFound: {
    title: 'Aquí no hay ningún enlace',
    text: 'Compruebe que la dirección esté bien escrita o pregunte a la persona que se la envió.',
  },
  unknownHost: {
    title: 'Esta dirección no está en uso',
    text: 'El nombre que ha seguido apunta a este servidor, pero aquí no hay nada configurado para él.',
  },
  gone: { title: 'Este enlace se ha desactivado', text: 'Su propietario lo ha retirado.' },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Solo estaba pensado para un tiempo o un número de visitas determinados.',
  },
  early: {
    title: 'Este enlace aún no está abierto',
    text: 'Se activará más adelante. Vuelva dentro de un rato.',
  },
  unsafe: {
    title: 'Este enlace no lleva a ninguna parte',
    text: 'Su destino no es una dirección que un navegador pueda abrir con seguridad.',
  },
  tooMany: {
    title: 'Demasiados intentos',
    text: 'Desde su red se han probado muchas direcciones que no existen. Espere un minuto y vuelva a intentarlo.',
  },
  unavailable: {
    title: 'Un momento, por favor',
    text: 'Este enlace no se puede abrir ahora mismo. Vuelva a intentarlo dentro de un minuto.',
  },
  badMethod: { title: 'Esto es un enlace', text: 'Solo se puede abrir; no admite envíos.' },
  failed: {
    title: 'Algo ha fallado aquí',
    text: 'Es culpa nuestra, no suya. Vuelva a intentarlo dentro de un minuto.',
  },
  tooLarge: { title: 'Eso es demasiado', text: 'El formulario ha enviado más que una contraseña.' },
  landing: {
    title: 'Aquí viven los enlaces cortos',
    text: 'Este servidor abre los enlaces cortos de su propietario. Añada la parte que va después de la barra para llegar a su destino.',
    signIn: 'Iniciar sesión',
  },
  password: {
    title: 'Este enlace está protegido',
    text: 'Introduzca la contraseña que lo acompañaba.',
    label: 'Contraseña',
    submit: 'Abrir el enlace',
    wrong: 'La contraseña no es correcta. Vuelva a intentarlo.',
    tooMany: 'Demasiadas contraseñas incorrectas. Espere un cuarto de hora y vuelva a intentarlo.',
  },
  preview: {
    title: 'Adónde lleva este enlace',
    text: 'Mirar aquí no cuenta como visita.',
    destination: 'Destino',
    hidden: 'El destino se muestra después de introducir la contraseña.',
    depends: 'Puede variar según el lugar, el dispositivo, el idioma o la hora.',
    go: 'Abrir el enlace',
  },
  card: { title: 'Un enlace corto', go: 'Abrir el enlace' },
  list: { by: 'Enlaces de {owner}', empty: 'Aquí todavía no hay enlaces.' },
  frame: {
    direct: 'Abrir directamente',
    close: 'Cerrar o abrir',
    more: 'Más información',
    email: 'Correo electrónico',
  },
  splash: {
    title: 'Le llevamos a su destino',
    moment: 'Un momento, por favor',
    product: 'Ver de qué se trata',
    leads: 'Este enlace lleva a {host}',
    go: 'Continuar',
  },
  thanks: {
    taken: { title: 'Gracias', text: 'Su respuesta ha llegado.' },
    refused: {
      title: 'No ha funcionado',
      text: 'Vuelva atrás, revise lo que ha escrito y envíelo de nuevo.',
    },
    back: 'Volver a la página',
  },
  bio: {
    saveContact: 'Guardar contacto',
    watch: 'Ver el vídeo',
    download: 'Descargar',
    name: 'Su nombre',
    email: 'Su correo electrónico',
    message: 'Su mensaje',
    send: 'Enviar',
    thanks: { title: 'Gracias', text: 'Su mensaje ha llegado.' },
    refused: {
      title: 'No ha funcionado',
      text: 'Vuelva atrás, rellene todos los campos y envíe el formulario de nuevo.',
    },
    back: 'Volver a la página',
  },
  file: {
    expired: {
      title: 'Este archivo ya no está disponible',
      text: 'Solo estaba pensado para un tiempo o un número de descargas determinados. Pregunte a la persona que se lo envió.',
    },
    badMethod: { title: 'Esto es un archivo', text: 'Solo se puede descargar; no admite envíos.' },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'Este archivo no se puede descargar ahora mismo. Vuelva a intentarlo dentro de un minuto.',
    },
    password: {
      title: 'Este archivo está protegido',
      text: 'Introduzca la contraseña que lo acompañaba. La descarga empezará enseguida.',
      label: 'Contraseña',
      submit: 'Descargar el archivo',
      wrong: 'La contraseña no es correcta. Vuelva a intentarlo.',
      tooMany: 'Demasiadas contraseñas incorrectas. Espere un rato y vuelva a intentarlo.',
    },
    download: {
      title: 'Un archivo para usted',
      name: 'Nombre',
      size: 'Tamaño',
      hidden: 'El nombre y el tamaño se muestran después de introducir la contraseña.',
      go: 'Descargar el archivo',
    },
    units: 'B kB MB GB TB',
  },
};
