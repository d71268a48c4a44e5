import type { messages as source } from '../../visits/privacy/messages.ts';

export const privacy: (typeof source)['en'] = {
  privacy: {
    title: 'Privacidad de los visitantes',
    description: 'Se aplica a las visitas nuevas a tus enlaces, páginas y códigos.',
    byInstance: 'Establecido para todos por el administrador.',
    noReferrer: {
      label: 'No guardar los referentes',
      help: 'De dónde vienen los visitantes.',
    },
    noBrowser: {
      label: 'No guardar los navegadores',
      help: 'Navegador, sistema, dispositivo e idioma.',
    },
    noPlace: {
      label: 'No guardar los lugares',
      help: 'País, región, ciudad y dirección IP.',
    },
    noSignedIn: {
      label: 'No contar a quienes han iniciado sesión',
      help: 'En la URL propia de esta instancia no se cuentan en el navegador en el que usan la app. En los dominios propios, y con la app de escritorio también en la URL de esta instancia, no se cuentan en un navegador en el que hayan abierto un enlace suyo desde la app en los últimos 30 días.',
    },
    keep: {
      label: 'Guardar de cada visita',
      help: 'Con «Solo el número» no se conocen los visitantes únicos. Los clics ya guardados no cambian.',
      clicks: 'Clics con sus detalles',
      counts: 'Solo el número',
      nothing: 'Nada en absoluto',
    },
    parameters: {
      title: 'Parámetros de consulta',
      description: 'Se cuentan en las visitas nuevas, además de los valores UTM.',
      label: 'Nombres',
      help: 'Hasta cinco, separados por comas. Las estadísticas muestran los valores con los que se abren los enlaces cortos, por ejemplo /sale?ref=poster.',
    },
    own: {
      title: 'Tus propias visitas',
      description: 'Abre una vez las URL de abajo en cada navegador cuyas visitas no deban contar.',
    },
    notKept: {
      intro: 'No se guarda de las visitas nuevas: {what}',
      referrer: 'referentes',
      browser: 'navegadores, sistemas, dispositivos, idiomas',
      place: 'lugares',
      visitors: 'todo salvo su número',
      clicks: 'todo',
      signedin: 'visitas de quienes han iniciado sesión',
    },
  },
};
