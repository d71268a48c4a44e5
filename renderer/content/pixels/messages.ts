export const messages = {
  en: {
    pixels: {
      title: 'Pixels',
      search: 'Search pixels',
      create: 'New pixel',
      saved: 'Pixel saved',
      made: '“{name}” created',
      deleted: '“{name}” deleted',
      list: {
        name: 'Pixel',
        tag: 'Tag',
        fires: 'What fires',
        links: 'Links',
        made: 'Created',
        actions: 'Actions for {name}',
      },
      firesShort: {
        pictures: 'One picture | One picture | {n} pictures',
        script: 'Script',
      },
      empty: {
        title: 'Retarget your visitors',
        description:
          'A pixel briefly loads the tag of an advertising or analytics service before redirecting, so that visitors can be measured and retargeted.',
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
        description: 'It’s removed from all links. This can’t be undone.',
        action: 'Delete pixel',
      },
      form: {
        newTitle: 'New pixel',
        editTitle: 'Edit pixel',
        newDescription: 'Add the tag of an advertising or analytics service.',
        editDescription: 'Edit the pixel’s name or tag.',
        create: 'Create pixel',
        save: 'Save',
        type: 'Service',
        typeFixed: 'The service can’t be changed. Create another pixel for another service.',
        name: 'Name',
        namePlaceholder: 'Shop, all visitors',
        nameRequired: 'Enter a name.',
        tag: 'Tag',
        tagHelp: 'Such as {example}. You can also paste the whole code.',
        tagInvalid: 'Enter only the ID, such as {example}.',
        tagUnusual: '{service} IDs usually look like {example}. You can still save this one.',
        taken: 'Extracted from the code you pasted.',
        find: 'Where to find it',
      },
      page: {
        one: 'Pixel',
        missing: 'Pixel not found',
        missingHint: 'It may have been deleted.',
        toList: 'All pixels',
        back: 'Back to all pixels',
        edit: 'Edit pixel',
        what: 'What fires',
        whatHint: 'A page loads this for each visitor, then redirects to the destination.',
        where: 'Where it fires',
        links: 'Links that use it',
        noLinks: 'No links use it yet. Select it when you edit a link, under “Pixels”.',
        allLinks: 'Show all {n}',
        unknown: 'This server doesn’t report what its pixels load.',
        full: 'Full access',
        sandboxed: 'Sandboxed',
      },
      fires: {
        picture: 'Picture: one request, without scripts',
        script: 'The service’s own script',
        copy: 'Copy URL',
        pictureHosts: 'May only be redirected to these hosts:',
        scriptHosts: 'May only send data to these hosts:',
        anyHost: 'The container decides what else is loaded: any https URL is allowed.',
      },
      where: {
        branded: 'Links on your branded domains',
        brandedText: 'Full access: the service sees the visit as on any other page.',
        own: 'Links on {host}',
        ownPicture:
          'Sandboxed: the picture is requested from a page that can’t reach this admin interface. The request is the same.',
        ownScript:
          'Sandboxed: the script runs without cookies and storage, in a page that can’t reach this admin interface. Some services count fewer visits then.',
      },
      ofLink: {
        title: 'Pixels',
        before: 'Loaded for each visitor before redirecting.',
        within: 'Loaded with the link’s page.',
        show: 'Show what {name} loads',
      },
      field: {
        title: 'Pixels',
        choose: 'Choose pixels',
        chosen: 'None | One pixel | {n} pixels',
        help: 'Loaded briefly before redirecting.',
        none: 'No pixels yet.',
        make: 'Create one',
        notInPlan: 'Your plan doesn’t include pixels.',
      },
      vendors: {
        gtmpixel: {
          name: 'Google Tag Manager',
          where: 'tagmanager.google.com: open the container. Its ID is at the top, next to “Preview”.',
        },
        gapixel: {
          name: 'Google Analytics',
          where: 'Admin, then Data streams: open the web stream. The measurement ID starts with G-.',
        },
        fbpixel: {
          name: 'Meta (Facebook)',
          where: 'Events Manager, then Data sources: select the pixel. Its ID is below its name.',
        },
        adwordspixel: {
          name: 'Google Ads',
          where:
            'Goals, then Conversions: open the action and its tag set-up. Copy the value of send_to, or only the AW- number for remarketing.',
        },
        linkedinpixel: {
          name: 'LinkedIn',
          where: 'Campaign Manager, then Data, Signals manager: Insight Tag. Copy the partner ID.',
        },
        twitterpixel: {
          name: 'X (Twitter)',
          where: 'X Ads, then Tools, Events manager: the pixel ID is in its header.',
        },
        adrollpixel: {
          name: 'AdRoll',
          where:
            'Settings, then Pixel: the code has adroll_adv_id and adroll_pix_id. Enter both, separated by a slash.',
        },
        quorapixel: {
          name: 'Quora',
          where: "Ads Manager, then Quora Pixel: set up. The ID is in qp('init', …).",
        },
        pinterest: { name: 'Pinterest', where: 'Ads Manager, then Conversions, Tag manager: the tag ID.' },
        bing: {
          name: 'Microsoft Advertising',
          where: 'Tools, then UET tag: the number in the Tag ID column.',
        },
        snapchat: {
          name: 'Snapchat',
          where: 'Events Manager: open the pixel. Its ID has five groups of letters and digits.',
        },
        reddit: { name: 'Reddit', where: 'Events Manager: the pixel ID starts with t2_ or a2_.' },
        tiktok: { name: 'TikTok', where: 'Events Manager, then Web events: the pixel ID below its name.' },
      },
    },
  },
};
