import type { trustSteps as source } from '../../network/domains/trust-messages.ts';

/** Instructions for trusting the local authority, with the terms of each system's settings. */
export const trustSteps: typeof source = {
  open: 'Confiar nos seus dispositivos',
  title: 'Confiar na autoridade local',
  description:
    'Esta instância emite os certificados dos nomes da sua própria rede. Um dispositivo aceita-os sem aviso assim que o certificado de raiz estiver instalado nele.',
  download: 'Descarregar certificado de raiz',
  copy: 'Copiar o URL',
  fingerprint: 'Compare a impressão digital SHA-256 antes de confiar:',
  fingerprintLabel: 'Impressão digital do certificado raiz',
  system: 'Sistema do dispositivo',
  systems: {
    windows: {
      name: 'Windows',
      steps: [
        'Abra o ficheiro descarregado e escolha “Instalar Certificado…”.',
        'Escolha “Computador Local” e depois “Colocar todos os certificados no seguinte arquivo”.',
        'Escolha o arquivo “Autoridades de Certificação de Raiz Fidedigna” e conclua.',
        'Reinicie o navegador.',
      ],
    },
    macos: {
      name: 'macOS',
      steps: [
        'Abra o ficheiro descarregado; o Acesso a Porta-chaves adiciona-o ao porta-chaves “início de sessão”.',
        'Procure lá “Waypost local authority” e abra-o.',
        'Em “Confiança”, defina “Ao usar este certificado” para “Confiar sempre” e feche a janela.',
        'Confirme com a sua palavra-passe.',
      ],
    },
    linux: {
      name: 'Linux',
      steps: [
        'Debian e Ubuntu: copie o ficheiro para /usr/local/share/ca-certificates/ e execute “sudo update-ca-certificates”.',
        'Fedora: copie-o para /etc/pki/ca-trust/source/anchors/ e execute “sudo update-ca-trust”.',
        'O Chromium tem uma lista própria: abra chrome://settings/certificates, escolha “Autoridades” e importe o ficheiro.',
      ],
    },
    ios: {
      name: 'iPhone, iPad',
      steps: [
        'Abra o URL do certificado de raiz no Safari e permita o download do perfil.',
        'Abra Definições › Geral › VPN e gestão de dispositivos, escolha o perfil e instale-o.',
        'Abra Definições › Geral › Informações › Definições de certificados fidedignos e ative-o lá.',
      ],
    },
    android: {
      name: 'Android',
      steps: [
        'Descarregue o certificado de raiz no dispositivo.',
        'Abra Definições › Segurança e privacidade › Mais definições de segurança › Encriptação e credenciais › Instalar um certificado.',
        'Escolha “Certificado da AC”, confirme o aviso e escolha o ficheiro.',
      ],
    },
    firefox: {
      name: 'Firefox',
      steps: [
        'Abra Definições › Privacidade e segurança e escolha “Ver certificados…” no fim.',
        'Em “Autoridades”, escolha “Importar…” e o ficheiro descarregado.',
        'Assinale “Confiar nesta AC para identificar sites”.',
      ],
    },
  },
};
