export const messages = {
  en: {
    mail: {
      title: 'Email',
      description: 'Send invitations, password resets and warnings by email. Everything else works without.',
      noAddress: 'No public URL is set',
      noAddressHelp:
        'Links in emails would work on this computer only, so invitations and password resets aren’t emailed. Set the public URL first.',
      setAddress: 'Set public URL',
      off: 'No email is sent yet. Enter a mail server to start.',
      host: 'Mail server',
      hostHelp: 'Leave empty to send no email.',
      port: 'Port',
      security: 'Security',
      securities: {
        tls: 'TLS (usually port 465)',
        starttls: 'STARTTLS, required (usually port 587)',
        none: 'None',
      },
      plain:
        'Anyone in your network can read the emails, links to new passwords included. Only servers in your own network can be used.',
      user: 'User',
      userHelp: 'Leave empty if the server asks for none.',
      password: 'Password',
      passwordSet: 'Saved. Enter a new one to replace it.',
      passwordHelp: 'Stored encrypted, sent to this server only, and never shown.',
      from: 'Sender',
      fromHelp: 'The address that emails come from.',
      test: 'Send a test message',
      tested: 'The mail server accepted the test message. Check your inbox.',
      testSaved: 'Save your changes before testing.',
      waiting: '{count} email is waiting to be sent. | {count} emails are waiting to be sent.',
      failed: 'The last attempt failed on {when}',
    },
  },
};
