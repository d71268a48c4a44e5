/** Instructions for trusting the local authority, with the terms of each system's settings. */
export const trustSteps = {
  open: 'Trust on your devices',
  title: 'Trust the local authority',
  description:
    'This instance issues the certificates for names in your own network. A device accepts them without a warning once the root certificate is installed on it.',
  download: 'Download root certificate',
  copy: 'Copy its URL',
  fingerprint: 'Compare its SHA-256 fingerprint before you trust it:',
  fingerprintLabel: 'Fingerprint of the root certificate',
  system: 'System of the device',
  systems: {
    windows: {
      name: 'Windows',
      steps: [
        'Open the downloaded file and choose “Install Certificate…”.',
        'Choose “Local Machine”, then “Place all certificates in the following store”.',
        'Choose the store “Trusted Root Certification Authorities” and finish.',
        'Start the browser again.',
      ],
    },
    macos: {
      name: 'macOS',
      steps: [
        'Open the downloaded file; Keychain Access adds it to the keychain “login”.',
        'Find “Waypost local authority” there and open it.',
        'Under “Trust”, set “When using this certificate” to “Always Trust”, and close the window.',
        'Confirm with your password.',
      ],
    },
    linux: {
      name: 'Linux',
      steps: [
        'Debian and Ubuntu: copy the file to /usr/local/share/ca-certificates/ and run “sudo update-ca-certificates”.',
        'Fedora: copy it to /etc/pki/ca-trust/source/anchors/ and run “sudo update-ca-trust”.',
        'Chromium has a list of its own: open chrome://settings/certificates, choose “Authorities” and import the file.',
      ],
    },
    ios: {
      name: 'iPhone, iPad',
      steps: [
        'Open the URL of the root certificate in Safari and allow the profile to download.',
        'Open Settings › General › VPN & Device Management, choose the profile and install it.',
        'Open Settings › General › About › Certificate Trust Settings and turn it on there.',
      ],
    },
    android: {
      name: 'Android',
      steps: [
        'Download the root certificate on the device.',
        'Open Settings › Security & privacy › More security settings › Encryption & credentials › Install a certificate.',
        'Choose “CA certificate”, confirm the warning and choose the file.',
      ],
    },
    firefox: {
      name: 'Firefox',
      steps: [
        'Open Settings › Privacy & Security and choose “View Certificates…” at the end.',
        'Under “Authorities”, choose “Import…” and the downloaded file.',
        'Tick “Trust this CA to identify websites”.',
      ],
    },
  },
};
