export const messages = {
  en: {
    pixels: {
      title: 'Pixels',
      search: 'Search pixels',
      create: 'New pixel',
      saved: 'Pixel saved',
      made: '“{name}” made',
      deleted: '“{name}” deleted',
      list: {
        caption: 'Pixels',
        name: 'Pixel',
        tag: 'Tag',
        fires: 'What fires',
        links: 'Links',
        made: 'Created',
        menu: 'Actions',
        actions: 'Actions for {name}',
      },
      firesShort: {
        pictures: 'One picture | One picture | {n} pictures',
        script: 'Script',
      },
      empty: {
        title: 'Tell your ad accounts who came by',
        description:
          'A pixel loads the tag of an advertising or statistics service for a moment before a link goes on, so that visitors can be counted and found again there.',
      },
      actions: {
        open: 'What fires',
        edit: 'Edit',
        copyTag: 'Copy tag',
        links: 'Show its links',
        delete: 'Delete',
      },
      confirm: {
        title: 'Delete “{name}”?',
        description: 'It is taken off all links. This cannot be undone.',
        action: 'Delete pixel',
      },
      form: {
        newTitle: 'New pixel',
        editTitle: 'Edit pixel',
        newDescription: 'Adds the tag of an advertising or statistics service.',
        editDescription: 'Changes the name or the tag of the pixel.',
        create: 'Create pixel',
        save: 'Save',
        type: 'Service',
        typeFixed: 'The service stays. Make another pixel for another service.',
        name: 'Name',
        namePlaceholder: 'Shop, all visitors',
        nameRequired: 'Enter a name.',
        tag: 'Tag',
        tagHelp: 'Such as {example}. You can paste the whole code here, too.',
        tagInvalid: 'Enter the id alone, such as {example}.',
        tagUnusual: 'Ids of {service} usually look like {example}. You can save this one all the same.',
        taken: 'Taken out of the code that you pasted.',
        find: 'Where to find it',
      },
      page: {
        one: 'Pixel',
        missing: 'This pixel does not exist',
        missingHint: 'It may have been deleted.',
        toList: 'All pixels',
        back: 'Back to all pixels',
        edit: 'Edit the pixel',
        what: 'What fires',
        whatHint: 'A page loads this for each visitor, and goes on to the destination right after.',
        where: 'Where it fires',
        links: 'Links that use it',
        noLinks: 'No link uses it yet. Choose it in the form of a link, under “Pixels”.',
        allLinks: 'Show all {n}',
        unknown: 'This server does not tell what its pixels load.',
        full: 'In full',
        sandboxed: 'Sandboxed',
      },
      fires: {
        picture: 'Picture: one request, without scripts',
        script: 'The service’s own script',
        copy: 'Copy address',
        pictureHosts: 'May be redirected to these hosts, and to no other:',
        scriptHosts: 'May send what it counts to these hosts, and to no other:',
        anyHost: 'What else is loaded is decided by the container: any https address is allowed.',
      },
      where: {
        branded: 'Links on your branded domains',
        brandedText: 'In full: the service sees the visit as on any other page.',
        own: 'Links on {host}',
        ownPicture:
          'Sandboxed: the picture is asked for from a page that cannot reach this admin interface. The request is the same.',
        ownScript:
          'Sandboxed: the script runs without cookies and storage, in a page that cannot reach this admin interface. Some services count less then.',
      },
      ofLink: {
        title: 'Pixels',
        before: 'Loaded for each visitor before the link goes on.',
        within: 'Loaded with the page of the link.',
        show: 'Show what {name} loads',
      },
      field: {
        title: 'Pixels',
        choose: 'Choose pixels',
        chosen: 'None | One pixel | {n} pixels',
        help: 'They are loaded for a moment before the link goes on.',
        none: 'There are no pixels yet.',
        make: 'Make one',
        notInPlan: 'Your plan does not include pixels.',
      },
      vendors: {
        gtmpixel: {
          name: 'Google Tag Manager',
          where: 'tagmanager.google.com: open the container. Its id stands at the top, beside “Preview”.',
        },
        gapixel: {
          name: 'Google Analytics',
          where: 'Admin, then Data streams: open the web stream. The measurement id begins with G-.',
        },
        fbpixel: {
          name: 'Meta (Facebook)',
          where: 'Events Manager, then Data sources: choose the pixel. Its id is below its name.',
        },
        adwordspixel: {
          name: 'Google Ads',
          where:
            'Goals, then Conversions: open the action and its tag set-up. Take what follows send_to, or the AW- number alone for remarketing.',
        },
        linkedinpixel: {
          name: 'LinkedIn',
          where: 'Campaign Manager, then Data, Signals manager: Insight Tag. Take the partner id.',
        },
        twitterpixel: {
          name: 'X (Twitter)',
          where: 'X Ads, then Tools, Events manager: the pixel’s id stands in its head.',
        },
        adrollpixel: {
          name: 'AdRoll',
          where:
            'Settings, then Pixel: the code has adroll_adv_id and adroll_pix_id. Write both with a slash between them.',
        },
        quorapixel: {
          name: 'Quora',
          where: "Ads Manager, then Quora Pixel: set up. The id stands in qp('init', …).",
        },
        pinterest: { name: 'Pinterest', where: 'Ads Manager, then Conversions, Tag manager: the tag id.' },
        bing: {
          name: 'Microsoft Advertising',
          where: 'Tools, then UET tag: the number in the column Tag ID.',
        },
        snapchat: {
          name: 'Snapchat',
          where: 'Events Manager: open the pixel. Its id has five groups of letters and digits.',
        },
        reddit: { name: 'Reddit', where: 'Events Manager: the pixel id begins with t2_ or a2_.' },
        tiktok: { name: 'TikTok', where: 'Events Manager, then Web events: the pixel id below its name.' },
      },
    },
  },
};
