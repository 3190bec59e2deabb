/**
 * Every sentence that a person reads, in English.
 *
 * Other languages are objects of the same shape. Refusals at a field come from the core, so that
 * page and core can never disagree about a limit.
 */

const persons = (n: number): string => (n === 1 ? "1 person" : `${n} people`);
const devices = (n: number): string => (n === 1 ? "1 device" : `${n} devices`);

export const en = {
  app: {
    name: "Undertone",
    tagline: "Add up numbers that nobody shows.",
    home: "Undertone, home",
    skip: "Skip to the content",
    build: (hash: string) => `Build ${hash}`,
    nothingElse: "No cookies, no tracking, nothing from another site.",
    plainHttp:
      "This page came over plain http: whoever runs this network could alter it. Fine for a demonstration, not for real secrets.",
  },
  home: {
    lead: "Everyone types a number on their own device. Only the total comes out.",
    joinTitle: "Take part",
    joinHint: "Paste the link you were sent, or type the four words on the screen.",
    linkOrCode: "Link or code",
    join: "Join",
    joinEmpty: "Paste a link or type the four words first. Nothing left this device.",
    askTitle: "Start a room",
    askHint: "Ask a question, show a QR code, and see the sum or the average of everyone in the room.",
    ask: "Ask the room",
    how: "How it works",
    howSteps: [
      "Each device hides its number under random masks before anything is sent.",
      "The relay that passes messages on sees only masked numbers. So does everybody else.",
      "Added together, the masks cancel, and the exact total is left. No single number ever appears.",
    ],
  },
  ask: {
    heading: "Ask the room",
    lead: "Nobody sees another person’s number, and neither do you.",
    what: "What comes out",
    services: {
      sum: { title: "Sum", summary: "The total of all numbers." },
      mean: { title: "Average", summary: "The total, how many, and the average." },
    } as Record<string, { title: string; summary: string }>,
    /** In English the words of the manifests serve; other languages fill this in by name. */
    params: {} as Record<string, { title: string; hint: string }>,
    question: "Question",
    questionHint: "As people will read it.",
    questionExample: "How long did you sleep?",
    deadline: "Deadline",
    deadlineHint: "Time to answer, from the moment the question goes out.",
    deadlineUnit: "minutes",
    minutes: (seconds: number) => {
      const n = Math.round((seconds / 60) * 10) / 10;
      return seconds < 60 ? `${seconds} seconds` : n === 1 ? "1 minute" : `${n} minutes`;
    },
    contribute: "I answer too",
    contributeHint: "You get an input card of your own in the room.",
    groupMin: "Smallest group",
    groupMinHint: "With fewer answers, no device sends anything.",
    groupWarning:
      "With 3 or 4 people a result says a lot about each of them. Everyone will be asked to agree to that first.",
    groupRefused: "A group needs at least 3 people. Nothing left this device.",
    more: "More",
    open: "Open room",
    opening: "Opening the room…",
    back: "Back",
  },
  room: {
    opening: "Opening the room",
    lobby: "Let people in",
    running: "Collecting answers",
    done: "The room’s result",
    ended: "No result this time",
    closed: "The room is closed",
    invite: "Invite",
    inviteLink: "Invite link",
    copy: "Copy link",
    copied: "Copied",
    copyByHand: "The link is selected. Copy it with the keyboard or the menu.",
    share: "Share",
    qr: "QR code of the invite link",
    scanOrType: "Scan with the phone’s camera, or type these words at",
    codeTitle: "Code",
    codeAbout: "Link or words: which is safer?",
    codeHint: "Words only find the room. With the link or the QR code, every device can also tell that the relay has slipped nobody in.",
    hereLabel: (n: number) => (n === 1 ? "person in the room" : "people in the room"),
    waiting: "Nobody yet. People appear as soon as they agree to take part.",
    byLink: (n: number) => `${n} with the link`,
    byCode: (n: number) => `${n} with the code`,
    headsLabel: "People in the room",
    headsHint: (contribute: boolean) =>
      contribute ? "Count everyone who answers, yourself included." : "Count everyone who answers, without yourself.",
    headsWhy: "Count heads, not this screen: a stranger who saw the code would show up in the number above.",
    headsInvalid: "Type how many people are in the room, as a whole number. Nothing left this device.",
    lock: "Lock and start",
    locking: "Locking…",
    againTitle: "Ask the same people",
    againHint: "Same people, same keys, fresh masks.",
    again: "Ask again",
    asking: "Asking…",
    leaveWarning: "The room lives in this tab. Keep it open until the result is there.",
  },
  join: {
    looking: "Looking for the room",
    lookingHint: "You are not in it yet: first you see the question.",
    comesOut: "What comes out",
    whoSees: "Who sees it",
    everyone: "Everyone in the room, host included.",
    breaks: "Who could break this",
    breaksUnknown: "Only all the others together. If everyone came by the link or the QR code, not even a relay that cheats.",
    breaksKnown: (breakers: number, people: number) =>
      `Only all the others together: ${breakers} of ${people}. If everyone came by the link or the QR code, not even a relay that cheats.`,
    needs: "Smallest group",
    needsValue: (n: number) => `${persons(n)}. With fewer, this device sends nothing.`,
    time: "Time to answer",
    smallGroup:
      "I know that this is a small group of 3 or 4. The result, together with what the others know, can say a lot about my number.",
    smallGroupNeeded: "Tick the box to take part in a small group. Nothing left this device.",
    takePart: "Take part",
    takingPart: "Joining…",
    inRoom: "You are in.",
    waitHost: "The host starts when everyone is here.",
    typeNow: "You can type your number now.",
    answer: "The host asks",
    answered: "Your answer is taken",
    consent: "The host asks",
    done: "The room’s result",
    ended: "No result this time",
    notIn: "You are not in the room",
    closed: "The room is closed",
    nextWait: "Keep this page open: the host may ask the same people again.",
    outputs: {
      sum: "the sum",
      count: "how many answered",
      mean: "the average",
    } as Record<string, string>,
    cells: (cells: string[], shown: number) =>
      cells.length > shown
        ? `Only the sum of each of ${cells.length} cells, from ${cells[0]} to ${cells[cells.length - 1]}.`
        : `Only the sum of each: ${cells.join(", ")}.`,
    outputsJoin: (parts: string[]) =>
      parts.length < 2
        ? `Only ${parts.join("")}.`
        : `Only ${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}.`,
  },
  input: {
    region: "Only on this device",
    label: "Your number",
    labels: "Your numbers",
    column: (n: number) =>
      `Paste or type ${n} numbers, one on each line or with semicolons between them, in the order of the list below.`,
    cells: (n: number) => `The ${n} cells, in order`,
    range: (min: string, max: string, unit: string) => `${min} to ${max}${unit ? ` ${unit}` : ""}`,
    decimals: (n: number) =>
      n === 0 ? "whole numbers" : n === 1 ? "up to 1 decimal" : `up to ${n} decimals`,
    leaves: "A masked number leaves this device. Nobody can read yours; together the masks cancel.",
    leavesCells: "Masked numbers leave this device. Nobody can read yours; together the masks cancel.",
    send: "Send",
    sending: "Masking…",
    held: "Your number is still here. It leaves, masked, once every device has confirmed the same list of people.",
    sent: "Only this left: a masked number.",
    sentCells: "Only this left: masked numbers.",
    receipt: "Receipt",
    receiptHint: "Names your entry in the room’s log.",
    bytes: "The masked bytes",
    place: (sequence: number) => `Entry ${sequence} of this device’s seat`,
  },
  progress: {
    region: "Progress",
    agreeing: (done: number, of: number) => `${done} of ${devices(of)} agree on who is in the room`,
    sent: (sent: number, of: number) => `${sent} of ${of} have sent`,
    missing: (n: number) => (n === 0 ? "Nobody is missing" : `${n} missing`),
    allIn: "All are in. The masks cancel now.",
    left: "Time left",
    atZero: "If somebody is still missing at 0:00, the run ends without a result. No number is revealed.",
    late: "Time is up. Waiting for the room to end the run.",
    linkDown: "Connection lost. Trying again; nothing is lost and nothing is sent twice.",
    linkUp: "Connected again.",
    people: (joined: number) => `${persons(joined)} in the room`,
    locked: (n: number) => `The room is locked with ${persons(n)}`,
  },
  result: {
    region: "Result",
    figures: { sum: "Sum", count: "How many", mean: "Average" } as Record<string, string>,
    byCell: "Sums by cell",
    cell: "Cell",
    included: (n: number, rowsMax: number) => `${n} ${rowsMax > 1 ? "values" : "answers"} included`,
    confirmed: (confirmed: number, n: number) =>
      confirmed < n
        ? `${confirmed} of ${devices(n)} have signed the same result so far`
        : `All ${devices(n)} computed and signed the same result`,
    rounded: "rounded",
    mine: "My contribution is in",
    mineHint: "This device found its own entry among those that were added up.",
    notMine: "My contribution is not in",
    tier: {
      unverified: "Unverified: you trust the relay not to cheat.",
      "host-verified": "Host-verified: everyone came with the host’s link or QR code.",
    },
    limits: "What this result tells, and what it doesn’t",
    limitsList: (breakers: number, people: number) => [
      breakers > 0
        ? `It takes all the others together (${breakers} of ${people}) to work out the last number.`
        : "It takes all the others together to work out the last number.",
      "Someone may have typed a wrong number. No one can tell, and the total moves with it.",
      "The relay knows who was connected and when, but not what was sent.",
      "An altered page could betray the person who uses it. Compare the build number at the foot of the page.",
    ],
    many: (n: number) => `${n} sums, in the table`,
    announce: (figures: string) => `Result: ${figures}.`,
  },
  relay: {
    region: "What the relay holds",
    hint: "All that the relay stored for this room, byte for byte. Look for your number.",
    fetch: "Fetch it",
    fetchAgain: "Fetch again",
    fetching: "Fetching…",
    empty: "The relay holds nothing for this room yet.",
    count: (n: number, bytes: number) => `${n} entries, ${bytes} bytes`,
    entry: (sequence: number, kind: string) => `Entry ${sequence}, ${kind}`,
    author: "Author",
    size: (n: number) => (n === 1 ? "1 byte" : `${n} bytes`),
  },
  fault: {
    nothingLeft: "No masked number left this device.",
    somethingLeft: "Your masked number had left this device. It says nothing about your number unless all the others put theirs together.",
    now: "What to do now",
    nowHost: "Ask again below, with the same people. If that fails too, open a new room.",
    nowNewRoom: "Open a new room and invite the same people.",
    nowGuest: "Keep this page open: the host can ask again, and the question appears here.",
    nowNotIn: "Check the link or the four words, then try again. If the room has started already, ask the host for a new one.",
    restart: "Start over",
    details: "Details",
    code: "Code",
    phase: "Phase",
    seats: "Seats",
    none: "none",
    stopped: "The part that computes stopped. Reload the page to start again.",
    gone: "This room has ended.",
    unknown: "That did not work.",
  },
};

/** What every language must offer. */
export type Catalogue = typeof en;
