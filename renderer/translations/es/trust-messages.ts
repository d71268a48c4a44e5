import type { trustSteps as source } from '../../network/domains/trust-messages.ts';

/** Instructions for trusting the local authority, with the terms of each system's settings; part of domains.ts. */
export const trustSteps: typeof source = {
  open: 'Confiar en tus dispositivos',
  title: 'Confiar en la autoridad local',
  description:
    'Esta instancia emite los certificados para los nombres de tu propia red. Un dispositivo los acepta sin advertencias en cuanto tiene instalado el certificado raíz.',
  download: 'Descargar certificado raíz',
  copy: 'Copiar su URL',
  fingerprint: 'Compara su huella digital SHA-256 antes de confiar en él:',
  fingerprintLabel: 'Huella digital del certificado raíz',
  system: 'Sistema del dispositivo',
  systems: {
    windows: {
      name: 'Windows',
      steps: [
        'Abre el archivo descargado y elige «Instalar certificado…».',
        'Elige «Equipo local» y, luego, «Colocar todos los certificados en el siguiente almacén».',
        'Elige el almacén «Entidades de certificación raíz de confianza» y finaliza.',
        'Reinicia el navegador.',
      ],
    },
    macos: {
      name: 'macOS',
      steps: [
        'Abre el archivo descargado; Acceso a Llaveros lo añade al llavero «inicio de sesión».',
        'Busca allí «Waypost local authority» y ábrelo.',
        'En «Confiar», ajusta «Al usar este certificado» a «Confiar siempre» y cierra la ventana.',
        'Confirma con tu contraseña.',
      ],
    },
    linux: {
      name: 'Linux',
      steps: [
        'Debian y Ubuntu: copia el archivo a /usr/local/share/ca-certificates/ y ejecuta «sudo update-ca-certificates».',
        'Fedora: cópialo a /etc/pki/ca-trust/source/anchors/ y ejecuta «sudo update-ca-trust».',
        'Chromium tiene su propia lista: abre chrome://settings/certificates, elige «Entidades emisoras» e importa el archivo.',
      ],
    },
    ios: {
      name: 'iPhone, iPad',
      steps: [
        'Abre la URL del certificado raíz en Safari y permite la descarga del perfil.',
        'Abre Ajustes › General › VPN y gestión de dispositivos, elige el perfil e instálalo.',
        'Abre Ajustes › General › Información › Configuración de confianza de los certificados y actívalo allí.',
      ],
    },
    android: {
      name: 'Android',
      steps: [
        'Descarga el certificado raíz en el dispositivo.',
        'Abre Ajustes › Seguridad y privacidad › Más ajustes de seguridad › Cifrado y credenciales › Instalar un certificado.',
        'Elige «Certificado de CA», confirma la advertencia y elige el archivo.',
      ],
    },
    firefox: {
      name: 'Firefox',
      steps: [
        'Abre Ajustes › Privacidad y seguridad y elige «Ver certificados…» al final.',
        'En «Autoridades», elige «Importar…» y el archivo descargado.',
        'Marca «Confiar en esta CA para identificar sitios web».',
      ],
    },
  },
};
