"""A first, local guess of how private a statement is, and whether it matters beyond the chat where it was said.

Words, phrases and patterns, and weights of words that were learned from labelled talk (`scripts/train_marks.py`); no
model: it runs while a message is recorded. What reads the meaning of a sentence belongs elsewhere and may revise the
guess. A guess only ever makes something more private, and a false alarm costs less than a miss; but idioms, and words
that mean something else to programmers, are taken for what they are.

Sensitive are the special categories of personal data (health, sex life and orientation, religion, political views,
trade unions, ethnic origin: GDPR, Regulation (EU) 2016/679, article 9), criminal matters (article 10), and money,
addiction and numbers of identity. Personal are work and private life in trouble or in motion, contact data, and what is
told in confidence. English first; the main topics also in German, Russian and Spanish.

How the tables are written: phrases are separated by commas, and `a/b` is either word, `word*` a word that begins so,
`…` up to three words between, `<name>` one of a list below or, if not the first word, a number or a sum.
A phrase never goes beyond a sentence, so that what stands before or after makes no difference to it.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from stdnum.iso7064 import mod_97_10

from nlp.models.logistic_regression import weighed

LEARNED: Final = Path(__file__).parents[1] / "models" / "marks.json"
THRESHOLD: Final = 0.5
"""From which probability on a sentence is taken for private."""

_LISTS = {
    "be": "am 'm im is 's are 're was were been being be get gets got getting feel feels felt feeling",
    "my": "my your his her our their 's",
    "they": "i he she they we who",
    "kin": """mother mom mum father dad brother sister wife husband partner son daughter parents family girlfriend
        boyfriend fiance fiancee grandmother grandma grandfather grandpa uncle aunt cousin
        friend child kid kids baby""",
    "body": """leg arm hip wrist ankle foot hand finger toe knee shoulder elbow collarbone rib ribs nose jaw neck back
        spine""",
    "thing": """bug bugs issue issues problem problems leak leaks crash crashes outage error errors fault failure
        failures regression server cluster build test tests query queries slowdown bottleneck deadlock code codebase
        module schema repo repository database engine car printer""",
    "system": """server servers service services cluster node nodes database system systems app application pod pods
        project product company business economy team market api backend endpoint container code codebase network
        battery disk industry startup build pipeline plant plants garden soil lawn""",
}
_SHAPES = {
    "number": r"\d\S*",
    "time": r"\d{1,2}(?:[:.]\d\d)?(?:am|pm|h|uhr)?",
    "phone": r"\+?\d(?:[ .]?\d){6,14}",
    "money": (
        r"(?:[$€£]\S*\d\S*|[$€£] \d\S*|\d\S*[k€$£]"
        r"|\d\S* (?:[€$£k]|euros?|dollars?|pounds?|bucks|grand|usd|eur|gbp))"
    ),
}

# What is said with a word of the tables below, but does not mean it. Looked for first, and then left out.
_IDIOMS = """
    diagnosed/diagnose/diagnosing/diagnosis … <thing>, symptom* of, root cause diagnosis, sick of, sick and tired of,
    sick beat/beats/burn/trick/tricks/riff/graphics/demo/setup/moves/design/guitar/solo, that 's sick, how sick is that,
    ill be/go/do/have/get/take/see/send/let/call/try/check/make/ask/just/also/never, ill
    advised/fated/informed/defined/formed/conceived/timed/suited/equipped/typed/posed/conditioned, ill at ease, a stroke
    of, stroke of luck/genius/midnight/inspiration, stroke width/color/colour/style, key/brush/back/breast stroke, heart
    attack on the/our, gave/give/giving/gives me/us a … heart attack, surgery on the/this/that/our … <thing>,
    git/history/repo/repository surgery, open heart surgery on the, allergic to
    meetings/meeting/mondays/work/criticism/deadlines/spreadsheets/bureaucracy/jargon/yaml/xml/java/php, allergic to
    javascript/change/commitment/fun/paperwork/powerpoint/email/emails/buzzwords/effort/responsibility/nonsense,
    allergic to early/small/long/waking/getting/hard/boilerplate/semicolons/comments/documentation/tests,
    work/works/working/worked/volunteers/volunteering/nurse/doctor/shift/intern … at/in/for a/the/our … hospital,
    near/behind/opposite/beside the hospital, next to the hospital, animal/pet/veterinary hospital, cold
    start/starts/cache/boot/brew/beer/shower/climate/call/calls/storage/drink/snap/email/wallet/front/room/water,
    depressed/depress/depresses the/a/this/that … button/key/pedal/lever/switch/brake/clutch/trigger/plunger, depressed
    market/prices/economy/region/area, great depression, depression era, tropical depression, anxious to, anxious for,
    burned/burnt/burns/burn out … bulb/led/fuse/motor/bearing/cd/dvd/clutch/resistor/lamp,
    bulb/bulbs/led/fuse/motor/resistor/lamp/engine/clutch/candle … burned/burnt/burn out, suicide squad,
    career/political/commercial suicide, suicide burn/prevention feature, pregnant pause/silence/moment, pregnant with
    meaning, miscarriage of justice, bipolar transistor*/junction/plug,
    technical/tech/design/architectural/architecture/code/sleep/ux/security/documentation/content/testing/test/data
    debt, technical/tech/design/architectural/code debts, debt of gratitude, in your/his/her/their debt, debt ceiling,
    national/public/sovereign/government debt, deuda técnica, технический долг, технического долга, техдолг*, loan
    me/him/us/you, loan her/them a/the/my/your, on loan from/to, loan word/words, library/interlibrary loan, loan
    from/to the library, wage/waged/wages/waging … war, minimum wage, universal basic income, bankrupt of ideas,
    morally/intellectually bankrupt, in the red corner/zone/team/folder/box/shirt/dress/car/area/part, in the red
    building/house/jacket/hat/column/section, build/builds/tests/pipeline/ci/dashboard/metrics … in the red,
    evict*/eviction … cache/entry/entries/key/keys/page/pages/pod/pods/item/items/session/sessions/policy/policies,
    cache/lru/pod/pods/key/keys/entry/entries/page/pages … evict*/eviction/evictions, iban
    validat*/check*/field/parser/regex/format/input/library, daylight/cost/energy/token/time/memory/space savings,
    credit card form/validation/widget/field/payment/payments/input, bank account api/service/class/model/example,
    addicted to coffee/chocolate/tiktok/youtube/tea/cheese/chess/sudoku/wordle/netflix/podcasts/lego/crosswords/games,
    addicted to this/that/the … game/show/song/series/podcast/app/book/band/album, addicted to your, coffee addict*, non
    alcoholic, alcoholic drink/drinks/beverage/beverages/beer/free, sober analysis/assessment/look, retail/gene therapy,
    is/am/'m/'s/was/as/became/become/becoming/be/are a/an … therapist/therapists/psychologist,
    is/am/'m/'s/was/as/became/become/becoming/be/are a/an … psychiatrist/surgeon/oncologist/cardiologist/neurologist,
    career/camp/guidance counsel*, physical/chemical/climate/battery therapy, psychological safety, <system> 's health,
    <system> health, health check/checks/checker/endpoint/endpoints/probe/probes/status/bar/potion, health
    dashboard/monitor/monitoring/metric/metrics/score/page/route/indicator, catholic taste*, gradient descent, religious
    about, religious war/wars/debate/debates, non binary file/files/data/format/blob/tree/search/protocol,
    server/link/port/line/app/screen came out, arrested development, jail break, freebsd/chroot jail*,
    tennis/basketball/food/squash/badminton court, probation period, probationary period, ball is in, steroid* of, chain
    of custody, custody of the,
    event/events/trigger/triggers/hook/hooks/alert/alerts/webhook/webhooks/callback/signal/rule/timer/handler … fired,
    alarm/alarms/action/listener/query/request/requests/shot/shots/rocket/missile/kiln/engine/cron/job … fired, fired
    up, fired off, fired by the/a/an, core dumped, dumped to/into/the, was/got/is dumped to/into/in/as/from, core dump*,
    quit the app/application/program/editor/game/browser/session/process/shell/terminal/menu, quit vim/emacs, resigned
    to, let go of, broke up the/a/an/our/into, break/breaking/broken/split up the/a/an/our/into/this, divorced from
    reality, confidential computing/client/clients/vm/vms/containers, recruiter software/tool, mental
    model/models/note/arithmetic/math, vaccinated the/my/our/his/her dog/cat/puppy/kitten, fever dream, fever pitch,
    transplant … tomato/tomatoes/seedlings/seedling/plant/plants/roses/shrub,
    comma/tab/space/whitespace/newline/well/loosely separated, separated by/with/into/values/list, dating back, carbon
    dating, medical school/student/degree/imaging/device*, with conviction, analysis paralysis, red/blue/bitter pills,
    praying that, god mode, in god mode, a liberal use/amount/sprinkling/dose/license/estimate, lay off the, in
    stitches, a … conservative estimate/approach/guess/choice/value/default, swift code, financially viable, let me go,
    adopted by/as/in,
    salary/income/loan/mortgage/pension/insurance/credit/patient/diagnosis/allergy/religion/ethnicity/medical/debt
    field/fields/column/columns/table/api/service/services/endpoint/endpoints/page/form/class/schema/calculator/widget/module,
    stock options page/api/widget, <my> address is/was a/an/the/not/in/null, virus scanner/scan/total/signature,
    embarazos*, enfermero*/enfermera*, address book/bar/space, abuse report/desk, prescribed format/order/way/by/in,
    therapy dog/dogs, gambling on/that, drug discovery/store/company/design, aa batter*
    """

_SENSITIVE = """
    diagnosis, diagnoses, diagnosed, cancer, cancers, tumor*, tumour*, leukemi*, leukaemi*, lymphoma, melanoma,
    carcinoma, metasta*, chemo, chemotherap*, radiotherap*, biops*, malignan*, oncolog*, diabet*, insulin, asthma*,
    epilep*, seizure*, migraine*, arthrit*, fibromyalg*, endometrio*, crohn*, celiac, coeliac, ibs, eczema, psoriasis,
    hepatit*, hiv, has/have/had/with/got/of aids, sexually transmitted, an/the std/sti, stds, stis, herpes, chlamydia,
    gonorrh*, syphilis, has/have/had/got/getting/caught/with/long/tested/for covid, tested positive, test* … came back,
    came back positive, pneumonia, tubercul*, bronchitis, had/has/have/having/suffered/after a/his/her/my/the … stroke,
    mini stroke, heart attack/attacks/disease/failure/condition/surgery/problem/problems/trouble/bypass/murmur, cardiac,
    pacemaker, blood pressure/test/tests/sugar/clot/clots/work/transfusion/thinner/thinners, lactose intoleran*,
    gluten intoleran*, hypertens*, cholesterol, anemi*, anaemi*,
    thyroid, lupus, sclerosis, parkinson*, alzheimer*, dementia, dialysis, transplant*, kidney/liver/lung
    stones/disease/failure/problems, hernia*, appendicitis, ulcer*, concussion, fractur*,
    broke/broken/breaking/sprained/dislocated <my> … <body>, broken <body>, slipped disc, bad back/knee/knees,
    back/chest/knee/stomach/nerve pain/pains, in … pain, chronic, chronically ill, autoimmune, allerg*, anaphyla*,
    epipen, inhaler, surgery, surgeries, <my> surgeon, the surgeon,
    had/has/have/having/needs/need/needed/for/after/scheduled an/his/her/my/the … operation, operation on <my>, operated
    on <my>, operated on him/me, under the knife, hospital, hospitals, hospitali*, hospice, emergency room, in/from the
    er/icu, intensive care, ambulance, medication*, meds, take/takes/taking/took … medicine, pills, painkiller*,
    prescription*, prescribed, antidepress*, antibiotic*, antipsychotic*, ssri, ssris, prozac, zoloft, sertraline,
    xanax, valium, on lithium, ritalin, adderall, ozempic, metformin, morphine, statins, beta blocker*, vaccinated, flu
    shot, illness*, disease*, sick, sickness, ill, unwell, under the weather, fever, flu, influenza, caught/has/have/got
    a … cold, symptom*, nausea*, vomit*, throwing up, mri, ct scan, ultrasound, colonoscopy, mammogram, ecg, ekg, lab
    results, <my> doctor, the doctor said/says/told/thinks/wants/prescribed, doctor says/said/told, doctor 's
    appointment/note/orders, see/sees/saw/seeing a/the/another doctor/specialist, doctor appointment, <my> gp, gp
    appointment, physio, physiotherap*, chiropract*, dermatolog*, cardiolog*, neurolog*, gynecolog*, gynaecolog*,
    urolog*, psychiatr*, psychologist, therapy, therapist*, psychotherap*, counselling, counseling, counsellor,
    counselor, wheelchair, on disability, a … disability, disability benefit*/pension/payments, disabled
    son/daughter/child/brother/sister, <they> am/'m/is/'s/are/'re disabled, registered disabled, deaf in, going
    deaf/blind, losing <my> sight/hearing/hair, hearing aid*, prosthe*, amputat*, paraly*, autis*, adhd, asperger*,
    dyslex*, ocd, bipolar, schizo*, ptsd, tourette*, anorexi*, bulimi*, eating/personality/anxiety/sleep disorder,
    psychosis, psychotic, overweight, obese, obesity, lose/losing/lost/gained/put/gain … weight, <my> … health, health
    problem*/issue*/condition*/scare/insurance/record*, poor/bad/ill/failing health, side effects of, bedridden,
    terminal*/seriously/critically/mentally ill, passed/passing out, fainted, infected with, infection, injur*,
    palliative, remission, medical*, clinic, mental health/illness/hospital/breakdown/problems, nervous breakdown,
    depressed, depression*, depressive, anxiety, <be> … anxious, panic attack*, burnout, burned/burnt/burning/burn out,
    burntout, suicid*, kill/killed/killing/hurt/hurting/cut/cutting/harm/harming
    myself/himself/herself/themselves/themself, self harm*, end my/his/her/their life, want to live anymore, better off
    dead, overdos*, insomnia, trauma*, hears/hearing/hear voices, domestic abuse/violence, sexual*, abused
    me/him/her/them/as/by, was abused, abusive, hits/hit/beats/beat/strangled me/her/him/them, hopeless, <my> … <body>
    hurts/hurt/aches, aching, raped, rape, molest*, cry/cries/crying … sleep/night, sleeping pills, pregnan*, expecting
    … baby/child/twins/boy/girl/first/second, having a/our/their/another … baby, baby is due, miscarr*, abortion*, ivf,
    fertility, infertil*, trimester, stillb*, lost/losing <my> … baby, lost the/a baby, postpartum, contracept*, birth
    control, on the pill, menopaus*, my/her period is/was/'s/started/starts/came/late/hurts, period pain/pains/cramps,
    vasectom*, hysterectom*, trying for a, trying to conceive, c section, salary, salaries, wage, wages, pay
    rise/raise/cut/check/slip/packet/gap, payraise, payslip*, paycheck*, paycheque*,
    asked/ask/asking/got/gets/get/deserve/deserves/wants/want/given … a … raise, earn/earns/earned/earning … <money>,
    earn/earns/earned/earning/make/makes/making/made/paid/pays … <number> a/per/an year/month/hour/week/day,
    make/makes/making/made <money>, gets/get/got/getting/being paid <money>, underpaid, overpaid, income, net worth,
    <my> bonus, signing/annual/yearly/christmas bonus, debt, debts, indebted, loan, loans, mortgage*, remortgag*,
    pays/pay me/him/her/us/them,
    bankrupt*, in the red, insolven*, foreclos*, evict*, eviction*, repossess*, overdraft, overdrawn, maxed out, credit
    card/cards/score/rating/history, credit card debt/bill/bills, bank account/balance/statement/details, account
    number/balance, sort code, routing number, iban, tax return*/bill/debt/refund/arrears, back taxes,
    owe/owes/owed/owing … <money>, owe/owes/owed/owing … money/rent/taxes, money
    problem*/trouble*/worries/issue*/is/worry, short of/on money/cash, out of money, ran out of money, no money,
    can/couldn/cannot 't afford, cannot afford, behind on/with … rent/payments/bills/mortgage/taxes, rent is <money>,
    pay/pays/paying … <money> … rent, rent arrears, <my> … savings, life savings, savings account, pension*, invested …
    <money>, lost/inherited/borrowed/lent/borrow … <money>, borrow/borrowed/borrowing/lent … money,
    'm/am/flat/stone/totally/completely/nearly broke, <they> is/'s/are/'re/was/am/'m … broke, financial
    trouble*/problem*/difficult*/situation/stress/help/worries, financially, needed/needs/got … stitches,
    unemployment/housing/child benefit*, on welfare/benefits, food stamps/bank, child support, alimony, stock options,
    severance, garnish*, pawn shop, pawned, brokerage, net/gross pay, making ends meet, make ends meet, pay the bills,
    pay <my> bills, collections agency, addict, addicts, addicted, addiction*, alcoholic, alcoholics, alcoholism,
    drinks/drinking every/all night/day/evening, drinking problem/again/heavily/alone, drink/drinks/drank/drinking too
    much, problem with alcohol/drinking, relaps*, sober, sobriety, rehab, detox, heroin, cocaine, crystal meth, opioid*,
    smok* weed/pot/cannabis/crack/dope, cannabis, marijuana, ketamine, lsd, mdma, quit/stopped/stop/quitting
    drinking/smoking/gambling, aa meeting*, na meeting*,
    goes/go/went/going to aa/rehab, withdrawal symptoms, gambling, gambler, gambled, drug
    addict*/problem*/abuse/test/use/dealer/overdose, on drugs, do/does/did/doing/took/taking drugs, muslim*, islam*,
    catholic*, jewish, jew, jews, judaism, hindu*, buddhis*, atheis*, an agnostic, mormon*, jehovah*, sikh*,
    evangelical*, protestant*, a/devout/practicing/practising/born/orthodox … christian, christianity, born again,
    go/goes/going/went to church/mosque/synagogue/temple/mass, mosque, synagogue, <my> church, prays, pray/praying
    to/at/in/every/five, wants/want/wanted/wish to die, wished i/he/she were dead, <my> prayers, bar/bat mitzvah,
    ramadan, baptis*, baptiz*, religio*, lost/losing/lose/found <my>/his faith, in god, in allah, ex muslim, ethnicit*,
    ethnic origin/background/minority, undocumented immigra*/migrant*, illegal immigra*, immigration status,
    vote/votes/voted/voting … trump/biden/harris/obama/labour/labor/tory/tories/conservative/conservatives/republican,
    vote/votes/voted/voting …
    republicans/democrat/democrats/democratic/cdu/spd/afd/fdp/greens/brexit/putin/macron/leave,
    republican/democrat/tory/labour voter, a/an/lifelong/registered
    republican/democrat/tory/socialist/communist/marxist, a/an
    anarchist/libertarian/fascist/feminist/liberal/conservative, republican/labour/conservative/democratic/green party,
    left/right wing, far left/right, political view*/belief*/part*/opinion*/leaning*/affiliation, politically,
    brexiteer*, trade union*, union member/rep/membership, joined/join/joining the/a union, pro life/choice, antifa,
    gay, lesbian*, bisexual*, queer, transgender, trans woman/man/person/guy/girl/people, transsexual, nonbinary, non
    binary, came/come/comes/coming out as, came/come/comes/coming out to <my>, lgbt*, homosexual*, heterosexual*,
    asexual, pansexual, gender identity/dysphoria/reassignment, sex life, erectile*, libido, one night stand, porn*, dna
    test, genetic test*, arrest, arrested, arrests, arrest warrant, criminal
    record/charge*/case/conviction/past/history, convict, convicts, convicted, conviction*, felon*, parole, probation,
    in/to/from/out prison/jail, of prison/jail, prison sentence, imprison*, restraining order, lawsuit*, sued, suing,
    charged with theft/assault/fraud/murder/dui/drunk/possession/driving/embezzlement/shoplifting/drug/tax, dui, dwi,
    court date/hearing/case/order, in/to/at/from court, shoplift*, stole … money, deport*, asylum, police
    record/questioned, questioned by … police, the police came, tax evasion, on trial, pleaded/pled guilty, legal
    trouble/troubles/battle, in trouble with the law/police, sentenced, embezzl*, visa expired/expires/overstay*/status,
    speeding ticket, passport number, social security, ssn, national insurance number, tax id, licence/license number,
    schwanger*, krank, krankheit*, krankenhaus*, krankgeschrieben, krankmeldung, erkrank*, hat/an/mit krebs, brustkrebs,
    hautkrebs, medikament*, psychotherapeut*, therapeutin, psychisch*, selbstmord*, suizid*, abtreibung*, fehlgeburt*,
    gehalt, gehalts*, lohn, schulden, verschuldet, kredit*, hypothek*, kontonummer, kontostand, süchtig*, alkoholiker*,
    schwul*, lesbisch*, vorbestraft, verhaftet, operiert, herzinfarkt, schlaganfall, depressiv*, angststörung*,
    therapie, verdien* … <money>, muslimisch*, katholisch*, беремен*, рак, рака, раком, онколог*, опухол*, болезн*,
    болеет, болею, заболел*, диагноз*, депресси*, диабет*, лекарств*, антидепресс*, больниц*, психиатр*, психотерап*,
    психолог*, инфаркт*, инсульт*, перенесла/перенёс/перенес … операцию, зарплат*, оклад, долг, долга, долги, долгов,
    долгах, кредит*, ипотек*, банкрот*, наркоман*, алкогол*, суицид*, самоубий*, аборт*, выкидыш*, судимост*, арестова*,
    гей, лесбиянк*, зависимост* от, мусульман*, таблетк*, embaraz*, cáncer, enferm*, depresi*, salario*, sueldo*,
    deuda*, hipoteca*, préstamo*, aborto*, adicto, adicta, adicci*, alcohólic*, operaron, quirúrgic*, ansiedad,
    psiquiatr*, psicólog*, medicamento*, pastillas, homosexual*, detenido, cárcel
    """

_PERSONAL = """
    looking/look/looks/looked/searching/search for a/another/new/something/other …
    job/jobs/role/position/work/employer/gig, looking/look/looks/searching for work/jobs/employment, job
    hunt*/search*/interview*/offer/offers/application*/seeker, looking for a new/different/better/another challenge,
    apply*/applied/applies … job/jobs/role/position, interviewing at/with/for/elsewhere, interviewed at/with, second
    round interview, <be> … fired, fired me/him/her/them/us, fire me/him/her/them, laid off, lay off/offs, layoff*, made
    redundant, redundancy package/notice, was/were/been/being/got let go, let him/her/them go, they let me go, sacked,
    got/get/given the sack, quit/quits/quitting/quitted … job, quit/leave/leaving/left <my> …
    job/company/firm/employer/role/position,
    want/wants/wanted/going/plan/plans/planning/about/decided/thinking/ready/tempted … quit/quitting/resign/resigning,
    quit last/this/on/yesterday/today/without, hand/hands/handed/handing/put/give/gave … notice, resign, resigns,
    resigned, resigning, resignation, leaving/leave/leaves the/this company/firm/team, unemploy*, jobless, out of
    work/job, between jobs, lost/losing/lose/loses <my> … job, counter offer, passed over for, recruiter*, headhunt*,
    performance improvement plan, updating/update/updated/polishing/sending <my> cv/resume/résumé, new employer, switch*
    jobs, change/changing/changes jobs/careers, hate/hates/dislike/dislikes/despise/despises <my> …
    job/boss/manager/team/work, hate/hates/dislikes/despises <my> …
    coworker*/colleague*/mother/father/brother/sister/family/stepdad,
    can 't stand <my>, moved out on <my>, <kin> … moved out, <my> boss/manager
    yelled/yells/shouted/hates/bullies/screamed, bullied, bullying, bully, harass*, toxic workplace/boss, divorc*,
    broke/broken/break/breaking/breaks/split up, breakup, split from, are/is/'re/be/been/getting separated, are/'re
    separating, separated from <my>, separat* from <my>, cheat/cheats/cheated/cheating on, affair with, having/had/has
    an affair, unfaithful, ex wife/husband/boyfriend/girlfriend, ex partner/fiance/fiancee, <my> ex,
    marriage/relationship problem*/trouble*/issue*/is/advice/falling/counsel*/ended/crisis, marital, troubled marriage,
    fight/fights/fighting/fought/argue/argues/argued/arguing/argument/quarrel* … with <my> … <kin>, big/huge/bad
    fight/argument/row with, fell/falling/fall out with, not on speaking terms, on speaking terms, not
    speaking/talking/speak/talk to <my>, n't speak/talk/spoken to, 't speak/talk/spoken/talked to <my>, stopped talking
    to, hasn/haven 't spoken/talked to, estrang*, custody, disown*, family
    conflict*/feud/drama/problem*/trouble*/issue*/matter, throw/throws/threw/kicked/kicking/kick me/him/her out, dating,
    crush on, tinder, dumped me/him/her/by, <be> dumped, heartbroken, heartbreak, lonely, loneliness, lovesick, single
    again, newly single, widow, widowed, widower, funeral, passed away, mourning, griev*, grief, <kin> died/dies, death
    of <my>, <my> will and, adoption papers, for adoption, was/were/am/'m/is/'s/being adopted, don 't trust <my>, in
    secret, jealous of, trouble/problems at home, moved out of <my>, walked out on, cold feet,
    phone/mobile/cell/telephone/whatsapp/contact number, contact details/info/information/data, home/postal/mailing
    address, <my> address, live/lives/living/lived/staying/resides at <number>, moved/moving to <number> …
    street/road/avenue/lane/drive, apartment/apt <number>, in flat <number>,
    call/phone/tel/text/mobile/cell/ring/reach/whatsapp/signal/telegram … <phone>, <my> number … <phone>, <my>
    cell/mobile is, door/gate/alarm/lockbox/entry/garage code, spare key is/under, key is under, home alone, don 't
    tell, dont tell, do not tell, not tell anyone, between us, between you and me, between ourselves, just between, keep
    it/this/that … secret/private/confidential/quiet/yourself, confidential*, in confidence, off the record, secretly,
    nobody knows, no one knows, nobody else/should know, hasn/haven 't told, mum 's the word, nobody must know,
    kündigung, gekündigt, entlassen, scheidung*, geschieden, arbeitslos*, bewerb*, bewirbt, telefonnummer*,
    handynummer*, sucht/suche/suchen … job/arbeit/stelle, meine/seine/ihre adresse, vertraulich*, sag/sagt es niemandem,
    развод, развода, разводе, разводится, разводятся, развелась, развелся, развелись, расстал*, уволи*, увольн*,
    уволен*, безработн*, ищет/ищу/ищут … работу, номер телефона, домашний адрес, изменя* мужу/жене, поссори*, никому не
    говори, divorci*, despido*, despidieron, despedid*, desemplead*, busca/buscando/busco … trabajo/empleo, número de
    teléfono, separaron, no se lo digas
    """

# Of no use elsewhere, whatever else is said.
_ONLY_HERE = """
    right now, at the/this moment, just now, brb, afk, omw, eod, cob today, be right back, right back, back in
    a/five/ten/two/an/<number>, be back soon/shortly/later, in a minute/moment/sec/second/bit/while/few/couple/jiffy, in
    an hour, in half an hour, in five/ten/fifteen/twenty/thirty/two/three/several minutes/mins/min/hours, in <number>
    minutes/minute/mins/min/hours/hour/hrs/h/seconds/secs, minutes/minute/mins/hours/hour/seconds ago, minutes/mins
    late, running/run/bit late, gonna/will/'ll/'m/am/is/be … late, on my/his/her/their/our way, stuck in traffic,
    presenting/speaking/going/talking/demoing/up/goes/go next, next up, next slide/speaker/question/item/topic,
    my/your/his/her/their/whose/bob/'s turn, who 's/is next, by/before/until end of/day, by/before the end of, by/before
    eod/eow/cob/tonight/tomorrow/noon/lunch/midnight/today, by/before/until
    monday/tuesday/wednesday/thursday/friday/saturday/sunday, by/before/until close of, end of day, end of business,
    by/before/until <time>, this morning/afternoon/evening, tonight, later today, earlier today, give me/us
    a/one/<number>, just a sec/second/minute/moment, one sec/second/moment/minute, hold on, hang on, hear/see me,
    hear/see you now, hear/see my/your screen, on mute, you 're/are muted, shar* my/your/his/her/the screen, about to
    start/leave/begin/join/present/go/order/merge/deploy/push/board, joining/joined/starting/leaving/starts/start now,
    in a meeting, in the lobby/waiting, waiting for you/him/her/us/them, just arrived/joined/got/left/landed/finished,
    is/are here/ready, be right there/over/with, at the door/gate, here now, almost there, nearly there, see you/ya
    in/at/there/soon/later/then, this meeting/call/standup, agenda for, for this/today 's, tagesordnung, gleich zurück,
    bin gleich da, heute abend/nachmittag/morgen, прямо сейчас, через <number> минут/мин, через минуту, уже еду, ahora
    mismo, esta tarde/noche, en <number> minutos
    """

# Of no use elsewhere, unless something lasting is said as well.
_SOON = """
    next, today, tomorrow, yesterday, now, soon, later, currently, shortly, meanwhile, later on, this
    week/month/weekend/friday, this monday/tuesday/wednesday/thursday/saturday/sunday/time/year/quarter, last night,
    deadline, due on/at/by/in, asap, urgent, urgently, at <time>, this sprint/release, gerade, сейчас, at
    noon/lunch/midnight, on monday/tuesday/wednesday/thursday/friday, upcoming, any minute, heute, morgen, gestern,
    bald, сегодня, завтра, вчера, скоро, hoy, mañana, ayer, pronto
    """

# Lasting, whenever it is said.
_LASTING = """
    birthday*, born, anniversary, loves, <they> love/like/hate/enjoy/prefer/adore/own/speak/play/dislike, likes, adores,
    hates, enjoys, prefers, dislikes, prefer, preference*, favourite*, favorite*, lives, live/living in/on/near/with,
    moved to, resides, works/work/working as/at/for/in, employed, allergic, allergy, name is/'s, named, nickname*,
    vegetarian*, vegan*, married, engaged to, grew up, comes/come/is/'s/am/are/'m/hails from, speaks, studies, studied,
    owns, plays, collects, always, never, usually, every
    day/week/month/year/morning/evening/night/monday/tuesday/wednesday/thursday/friday/saturday/sunday/summer, mondays,
    tuesdays, wednesdays, thursdays, fridays, saturdays, sundays, weekends, can stand, can 't stand, years old, afraid
    of, scared of, has/have a/an/two/three/four/one … dog/dogs/cat/cats/son/sons/daughter/daughters/kid/kids/child,
    has/have a/an/two/three … children/brother/sister/brothers/sisters/degree/twin, a/an/is/as …
    engineer/teacher/doctor/nurse/lawyer/developer/designer/student/musician/writer/manager, graduated, believes, fluent
    in, geburtstag*, wohnt, liebt, heißt, mag, liebe, arbeitet, день рождения, живёт, живет, любит, работает, зовут,
    cumpleaños, vive en, trabaja en/como, le gusta, se llama
    """
_PASSING = """
    next to, next door, next js, next gen, next generation, next of kin, nowadays, now that, now and then, sooner or
    later, looks/look/sounds/sound/feels/feel/seems/seem like, would/'d like/love/hate/prefer to, <they> would/'d
    like/love/prefer, <they> love/like it/that/this, later in life, never mind, now lives/live/works/owns/prefers, corn
    on the cob
    """

_TOKEN = re.compile(
    # A number, perhaps a sum; a word; what an apostrophe adds to a word; the end of a sentence or a paragraph.
    r"[$€£+]?\d+(?:[.,:]\d+)*\w*[€$£%]?|\w+|'(?:s|m|re|ve|ll|d|t)\b|[$€£]|[.!?;](?=\s)|\n\s*\n"
)
_BETWEEN = r"(?:[\w'$€£+]\S* ){0,3}?"
_KEY = 3

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_STOP = re.compile(r" ?(?:[.!?;]|\n\s*\n)(?: |$)")
_LEAST_ODDS = math.log(THRESHOLD / (1 - THRESHOLD))
_SOCIAL_SECURITY = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")  # in the USA
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2} ?[A-Z0-9]{4}(?: ?(?=[A-Z]{0,3}\d)[A-Z0-9]{4}){1,6}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_EMAIL = re.compile(r"@(?<=[\w+-]@)(?<!\bgit@)(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}")
_CONTACT = re.compile(
    r"""(?<![\w.+-])(?:
        \+\d(?:[ ./()-]{0,2}\d){7,14}(?!\w)                         # +49 (0)170 1234567
      | \(?\d{3}\)?[ .-]\ ?\d{3}[ .-]\d{4}(?![\w-])                 # (555) 010-4477
      | 0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{2,6}){0,3}(?![\w-])           # 020 7946 0958
      | 0\d{9,10}(?![\w.-])
      | 8[ -]\(?\d{3}\)?[ -]\d{3}[ -]?\d\d[ -]?\d\d(?!\w)           # 8 (916) 123-45-67
      | \d{1,5}[A-Za-z]?[ ](?:(?:[A-Z][\w']{0,30}|\d{1,3}(?:st|nd|rd|th))[.]?[ ]){1,3}
        (?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Square|Terrace|Crescent|Way|Place)(?!\w)
      | [A-ZÄÖÜ][a-zäöüß]{1,30}(?:straße|strasse|str\.|gasse|weg|allee|platz)[ ]\d{1,4}(?!\d)
      | (?:[Уу]лица|[Уу]л\.|[Cc]alle)[ ][А-ЯA-ZÁÉÍÓÚÑ]\w{1,30},?[ ](?:д\.[ ]?)?\d{1,4}(?!\d)
    )""",
    re.VERBOSE,
)

# By label, then by what follows the first word: the first words.
_Tables = dict[str, dict[str, list[str]]]


class _Phrases:
    """Tables of phrases, filed under the first letters of their first word: most words of a text need one look."""

    def __init__(self, **tables: str) -> None:
        filed: dict[str, _Tables] = {}
        for label, table in tables.items():
            for start, rest in _parsed(table):
                filed.setdefault(start[:_KEY], {}).setdefault(label, {}).setdefault(rest, []).append(start)
        self._filed = filed
        self._compiled: dict[str, re.Pattern[str]] = {}

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """What of a folded text is a phrase, for each word it can begin with; the group tells of which table."""
        at = 0
        for word in text.split(" "):
            if word[:_KEY] in self._filed and (match := self._pattern(word[:_KEY]).match(text, at)):
                yield match
            at += len(word) + 1

    def _pattern(self, key: str) -> re.Pattern[str]:
        """Compiled when first met: all of them at once would take a fifth of a second of every start."""
        if key not in self._compiled:
            self._compiled[key] = re.compile(_either(self._filed[key]))
        return self._compiled[key]

    def left_out(self, text: str) -> str:
        """The folded text with a stop in place of each phrase."""
        kept, at = [], 0
        for match in self.found(text):
            if match.start() >= at:
                kept.append(text[at : match.start()])
                at = match.end()
        return ".".join([*kept, text[at:]])


def _parsed(table: str) -> Iterator[tuple[str, str]]:
    """Each phrase as its first word and the pattern of what follows."""
    for phrase in " ".join(table.split()).split(", "):
        first, *others = phrase.split(" ")
        rest = "".join(_BETWEEN if word == "…" else f"(?:{_or(_choices(word))}) " for word in others)
        for start in _choices(first):
            yield start, f" {rest}".rstrip(" ")


def _choices(word: str) -> Iterator[str]:
    for choice in word.split("/"):
        name = choice.strip("<>")
        if choice == f"<{name}>":
            yield from [_SHAPES[name]] if name in _SHAPES else _LISTS[name].split()
        else:
            yield choice.replace("*", r"\w*")


def _either(tables: _Tables) -> str:
    """One pattern with a group for each table."""
    return "|".join(
        f"(?P<{label}>(?:{_or(f'(?:{_or(starts)}){rest}' for rest, starts in phrases.items())})(?!\\S))"
        for label, phrases in tables.items()
    )


def _or(words: Iterable[str]) -> str:
    return "|".join(words)


_NOT_MEANT = _Phrases(idiom=_IDIOMS)
_PRIVATE = _Phrases(sensitive=_SENSITIVE, personal=_PERSONAL)
_NOT_TIMES = _Phrases(idiom=_PASSING)
_TIMES = _Phrases(only_here=_ONLY_HERE, lasting=_LASTING, soon=_SOON)


def guess_sensitivity(text: str, learned: Mapping[str, Mapping[str, float]] | None = None) -> str:
    """How private a statement seems: "public", "personal" or "sensitive".

    The highest of what its sentences have, by the tables, and by what was learned from labelled talk
    (`scripts/train_marks.py`; another than that with `learned`). Time is linear in the length of the text.
    """
    meant = _NOT_MEANT.left_out(_folded(text))
    labels = _labels(_PRIVATE.found(meant), until="sensitive")
    numbers = _DIGIT.search(text)
    if "sensitive" in labels or (numbers and _has_secret_number(text)):
        return "sensitive"
    sounds = _sounds(meant, _learned() if learned is None else learned)
    if "sensitive" in sounds:
        return "sensitive"
    if labels or sounds or _EMAIL.search(text) or (numbers and _CONTACT.search(text)):
        return "personal"
    return "public"


def sentences(text: str) -> list[str]:
    """The sentences of a text, as words in lower case."""
    return _apart(_folded(text))


def words_and_pairs(sentence: str) -> set[str]:
    """What is looked at of a sentence that `sentences` gives: its words and each two that follow each other, figures
    as 0.
    """
    words = _NUMBER.sub("0", sentence).split(" ")
    return {*words, *map(" ".join, pairwise(words))}


def guess_portable(text: str) -> bool:
    """Whether a statement seems to be of use outside the chat where it was said.

    It is unless it speaks of what is about to happen there, and says nothing lasting besides.
    """
    labels = _labels(_TIMES.found(_NOT_TIMES.left_out(_folded(text))), until="only_here")
    return "only_here" not in labels and ("soon" not in labels or "lasting" in labels)


def _folded(text: str) -> str:
    """Words in lower case with one space between them, and a mark where a sentence or a paragraph ends."""
    return " ".join(_TOKEN.findall(text.casefold().replace("’", "'")))


def _apart(folded: str) -> list[str]:
    """A folded text in its sentences."""
    return [each for each in _STOP.split(folded) if each]


@cache
def _learned() -> dict[str, dict[str, float]]:
    learned: dict[str, dict[str, float]] = json.loads(LEARNED.read_text("utf-8"))
    return learned


def _sounds(folded: str, learned: Mapping[str, Mapping[str, float]]) -> set[str]:
    """How private the words of some sentence sound, by what was learned."""
    found = set[str]()
    for sentence in _apart(folded) if learned else ():
        seen = words_and_pairs(sentence)
        found |= {name for name, weights in learned.items() if weighed(weights, seen) >= _LEAST_ODDS}
    return found


def _labels(matches: Iterable[re.Match[str]], *, until: str) -> set[str]:
    labels = set()
    for match in matches:
        labels.add(match.lastgroup or "")
        if match.lastgroup == until:
            break
    return labels


def _has_secret_number(text: str) -> bool:
    return bool(_SOCIAL_SECURITY.search(text)) or any(map(_is_iban, _IBAN.findall(text)))


def _is_iban(found: str) -> bool:
    """Whether the check digits are right (ISO 13616: those of the number with its first four signs at the end)."""
    number = found.replace(" ", "")
    return bool(mod_97_10.is_valid(number[4:] + number[:4]))
