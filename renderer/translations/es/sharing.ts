import type { messages as source } from '../../network/sharing/messages.ts';

export const sharing: (typeof source)['en'] = {
  sharing: {
    title: 'Compartir en la red',
    description:
      'Permite que otros ordenadores y móviles de tu red abran esta instancia y sus enlaces cortos.',
    switch: 'Compartir con mi red',
    on: 'Cualquiera en tu red puede abrir las URL de abajo. Todo, salvo los enlaces cortos, requiere una cuenta o una clave.',
    off: 'Solo se puede acceder desde este ordenador.',
    fixed: 'Definido al iniciar; no se puede cambiar aquí.',
    https: 'Inicio de sesión y administración (cifrado)',
    httpsHelp:
      'Las contraseñas, las claves y todo lo que se envía a estas URL va cifrado. No cambian mientras este ordenador conserve su dirección IP.',
    httpsProblem:
      'Hasta que se solucione, otros ordenadores no pueden iniciar sesión aquí por https. Los enlaces cortos siguen funcionando.',
    otherPort: 'Elegir otro puerto',
    portChosen: 'Puerto cambiado',
    fingerprintLabel: 'Huella digital de esta instancia (SHA-256)',
    fingerprint:
      'Cuando otro ordenador abre una de estas URL, te pide confirmar este servidor. Compara esta huella digital con la que muestra: debe coincidir entera.',
    rootHelp: 'Los navegadores advierten del certificado hasta que la raíz está instalada en el dispositivo:',
    root: 'descargar certificado raíz',
    addresses: 'Enlaces cortos, sin cifrar',
    addressesHelp:
      'Cualquier dispositivo puede abrirlas sin advertencias, como necesitan los enlaces cortos y los códigos QR.',
    none: 'Este ordenador no está en ninguna red ahora mismo. Se comprueba cada pocos segundos.',
    copy: 'Copiar {url}',
    onlyHere: 'Los enlaces cortos todavía empiezan por {url}',
    onlyHereHelp: 'Solo este ordenador puede abrirlos.',
    useNow: 'Usar {url}',
    use: 'Usar para enlaces cortos',
    used: 'En uso para enlaces cortos',
    useDone: 'Los enlaces cortos usan ahora {url}',
    plain: 'Permitir también el inicio de sesión sin cifrar',
    plainIsOff:
      'Los demás ordenadores se redirigen a las URL cifradas. Aquí no se aceptan claves ni contraseñas.',
    plainIsOn: 'Cualquiera en tu red puede leer lo que se envía a estas URL, incluidas contraseñas y claves.',
    plainOn: 'Inicio de sesión sin cifrar permitido',
    plainOff: 'Las claves y contraseñas solo se aceptan por https',
    consent: {
      title: '¿Permitir contraseñas y claves sin cifrar?',
      description:
        'Cualquiera en la misma red, como invitados de la wifi o un dispositivo comprometido, podrá leer y usar las contraseñas y claves de quienes inicien sesión sin https. Hazlo solo en una red en la que confíes en todos los dispositivos, y solo para apps que no puedan usar https.',
      action: 'Lo entiendo, permitir',
    },
    badge: 'Compartida en tu red',
    switchedOn: 'Uso compartido activado',
    switchedOff: 'Uso compartido desactivado',
  },
};
