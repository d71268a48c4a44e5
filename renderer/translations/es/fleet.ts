import type { messages as source } from '../../network/fleet/messages.ts';

export const fleet: (typeof source)['en'] = {
  fleet: {
    title: 'Flota',
    description:
      'Otras máquinas responden a tus enlaces cortos, incluso mientras esta duerme. Un servidor NATS las mantiene al día.',
    states: {
      off: 'Desactivada',
      connecting: 'Conectando',
      connected: 'Conectada',
      unreachable: 'Inaccesible',
      refused: 'Rechazada',
    },
    reasons: {
      address: 'Introduce una dirección como nats://engine.example.com:4222, sin usuario.',
      unreachable: 'El servidor NATS no responde en {detail}. Comprueba la dirección y que esté en marcha.',
      no_engine: 'Lo que responde en {detail} no es un servidor NATS. Comprueba la dirección y el puerto.',
      ended: 'Se cortó la conexión con el servidor NATS. Se intentará de nuevo.',
      credentials: 'El servidor NATS no acepta estas credenciales. Compruébalas.',
      rights:
        'A este usuario del servidor NATS le faltan permisos que una flota necesita. Usa la configuración que muestra «waypost fleet config».',
      no_jetstream:
        'JetStream está desactivado en el servidor NATS. Actívalo (nats-server -js) e inténtalo de nuevo.',
      tls: 'Falló la conexión TLS con el servidor NATS: {detail}. Si su certificado es de una autoridad propia, inicia este servidor con NODE_EXTRA_CA_CERTS apuntando al archivo de esa autoridad.',
      no_tls: 'El servidor NATS en {detail} no usa TLS. Actívalo allí o empieza la dirección con nats://.',
      old_engine: 'El servidor NATS tiene la versión {detail}. Actualízalo a la 2.9 o posterior.',
      no_room:
        'El servidor NATS no tiene más espacio para la flota. Da más espacio a JetStream (max_file_store).',
      clicks_full:
        'El servidor NATS no tiene más espacio para clics. Esperan en sus nodos hasta que este servidor recoja los que hay.',
      taken:
        'Otro servidor escribe esta flota: otra instancia, una copia de esta carpeta de datos o una restaurada en otro lugar. Detenlo o asume el control de la flota.',
      locked:
        'No se pueden abrir los secretos de la flota: la clave de la instancia no es la de cuando se introdujeron. Devuelve esa clave, o asume el control e introdúcelo todo de nuevo: empieza una flota nueva y los nodos deben volver a unirse.',
      failed: 'La flota no pudo trabajar con el servidor NATS: {detail}.',
    },
    noAddress: 'No hay URL pública',
    noAddressHelp: 'Los nodos responden bajo tu URL pública. Defínela primero.',
    setAddress: 'Definir URL pública',
    enabled: 'Usar una flota',
    enabledHelp: 'Envía enlaces y páginas a los nodos y recibe sus clics.',
    url: 'Servidor NATS',
    urlHelp: 'Empieza por nats://, tls://, ws:// o wss://. Separa varios servidores con comas.',
    signin: 'Iniciar sesión con',
    signins: {
      user: 'Usuario y contraseña',
      token: 'Token',
      credentials: 'Archivo de credenciales',
      none: 'Nada',
    },
    user: 'Usuario',
    password: 'Contraseña',
    token: 'Token',
    credentials: 'Credenciales',
    credentialsHelp: 'Pega el texto del archivo .creds.',
    secretHelp: 'Se guarda cifrado y nunca se muestra. Déjalo vacío para conservar el guardado.',
    edgeuser: 'Usuario de los nodos',
    edgeuserHelp:
      'Un segundo usuario con menos permisos. El comando «waypost fleet config --passwords» crea ambos.',
    edgepassword: 'Contraseña de los nodos',
    signingkey: 'Clave de firma',
    signingkeyHelp: 'Pega la línea de signing.key. Con ella cada nodo recibe sus propios permisos.',
    operatorkey: 'Clave de operador',
    operatorkeyHelp:
      'Opcional. Pega el texto de operator.key para que el propio servidor NATS bloquee los nodos revocados.',
    test: 'Probar conexión',
    tested: 'El servidor NATS responde y tiene lo que una flota necesita.',
    takeOver: {
      open: 'Asumir el control',
      title: '¿Asumir el control de esta flota?',
      description:
        'El otro servidor deja de escribir en ella. Hazlo solo si ese servidor ya no existe o si te has mudado a este.',
      action: 'Asumir el control',
      done: 'Control de la flota asumido',
    },
    engine: {
      servers: 'Servidores',
      streams: 'Flujos',
      bytes: 'Almacenado',
      position: 'Último cambio enviado',
      oldest: 'Cambio conservado más antiguo',
    },
    edges: {
      title: 'Nodos',
      description:
        'Las máquinas que responden a tus enlaces cortos. Apunta tus dominios a sus direcciones IP.',
      add: 'Añadir nodo',
      empty: 'Aún no hay nodos',
      emptyHelp: 'Añade uno y ejecuta en la otra máquina el comando que aparece.',
      emptyOff: 'Activa la flota para añadir nodos.',
      states: {
        waiting: 'Sin unirse',
        current: 'Al día',
        behind: 'Atrasado',
        away: 'Ausente',
        revoked: 'Revocado',
      },
      reasons: {
        update: 'Este servidor tiene una versión más nueva. Actualiza el nodo; sigue con lo que tiene.',
        disk_full:
          'Su disco no tiene sitio para una copia nueva de los enlaces. Libera espacio en él; sigue con lo que tiene.',
        clock_ahead: 'Su reloj va {detail} min adelantado respecto a este servidor. Corrige el que esté mal.',
        clock_behind: 'Su reloj va {detail} min atrasado respecto a este servidor. Corrige el que esté mal.',
        unreadable:
          'Se omitieron mensajes ilegibles enviados en su nombre: {detail}. Si llegan más, puede que otra persona use sus credenciales: revoca el nodo y añádelo de nuevo.',
        no_room:
          'El servidor NATS no tiene más espacio. Da más espacio a JetStream (max_file_store); los clics esperan en el nodo.',
        clicks_full:
          'El servidor NATS no tiene más espacio para clics. Esperan en el nodo hasta que este servidor recoja los que hay.',
        failed: 'El servidor NATS no acepta sus clics. Esperan en el nodo; su registro dice por qué.',
      },
      version: 'Versión',
      addresses: 'Direcciones',
      since: 'Unido',
      rate: 'Solicitudes por segundo',
      lag: 'Atraso',
      lagBy: '{count} cambio, {seconds} s | {count} cambios, {seconds} s',
      waiting: 'Pendientes de envío',
      lost: 'Una visita desde el inicio del nodo no se ha contado porque su disco estaba lleno. Aun así, llegó a su destino. | {count} visitas desde el inicio del nodo no se han contado porque su disco estaba lleno. Aun así, llegaron a su destino.',
      noLag: 'Ninguno',
      none: 'Sin datos',
      revoke: 'Revocar',
      cutoff: 'El servidor NATS aún admite este nodo. Ejecuta esto una vez donde esté operator.key:',
      revokeNamed: 'Revocar {name}',
    },
    form: {
      title: 'Añadir nodo',
      description: 'Una máquina que responderá a tus enlaces cortos.',
      name: 'Nombre',
      nameRequired: 'Introduce un nombre.',
      region: 'Región',
      regionHelp: 'Solo para ti, por ejemplo una ciudad.',
      submit: 'Añadir nodo',
    },
    made: {
      title: 'Ejecuta este comando en el nodo',
      description: 'Solo se muestra ahora y funciona una vez, durante una hora.',
      copy: 'Copiar comando',
      done: 'Listo',
    },
    revoke: {
      title: '¿Revocar {name}?',
      description:
        'Deja de responder de inmediato y no podrá volver a unirse. Los clics que ha enviado se conservan.',
      action: 'Revocar',
      done: 'Nodo revocado',
    },
  },
};
