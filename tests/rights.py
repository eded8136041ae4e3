"""The matrix of rights: the expected answer to each kind of caller at each entry point, written by hand (P1, P4, P5,
P6).

The data is Ada's: her own fact about Sid, and a group with facts about Sid and about a society. All of it contains the
word walnut. The first columns are other people; only the last of them has a credential with rights:

    1 a stranger    2 a former member of the group    3 a person invited to it    4 a member
    5 Sid, who is in no chat    6 a service that has every right and acts for itself

The others are Ada, with a credential of her own, one that acts for her, one that records in the group, one that speaks
as Atlas in her private chat, and one that administers. The calls are made in this order, so that an action which
works only once has been refused to those without the right before it succeeds.
"""

from typing import Any, Final

OTHERS: Final = ("stranger", "former member", "invited", "member", "subject", "service")
ADAS: Final = ("own", "acts for Ada", "records one chat", "speaks as Atlas", "administers")
KINDS: Final = (*OTHERS, *ADAS)

SIGNS: Final = {"NOT_ALLOWED": "-", "NOT_FOUND": "?", "INVALID_INPUT": "!", "CONFLICT": "!"}
"""Signs of errors. `+` is an answer with the word walnut, or a change that was made; `.` one without it; `0` null."""

QUERIES: Final = {
    "search": ('search(query: "walnut") { nodes { content } }', "....+. +++++"),
    "search in the group": ('search(query: "walnut", chatId: "$group") { nodes { content } }', "???+?? +++++"),
    "memories": ("memories { nodes { content } }", "...++. +++++"),
    "memoriesAbout": ('memoriesAbout(personIds: ["$sid"]) { nodes { content } }', "...++. +++++"),
    "memoriesAbout in the group": (
        'memoriesAbout(personIds: ["$sid"], chatId: "$group") { nodes { content } }',
        "???+?? +++++",
    ),
    "context": ('context(query: "society of nuts") { text always }', "...... +++++"),
    "context in the group": ('context(query: "society of nuts", chatId: "$group") { text always }', "???+?? +++++"),
    "weakFacts": ("weakFacts(below: 1) { nodes { memory { content } } }", "...++. +++++"),
    "archive": ("archive { nodes { memory { content } } }", "...... +++++"),
    "archiveSearch": ('archiveSearch(query: "walnut") { nodes { content } }', "...... +++++"),
    "archiveSearch in the group": (
        'archiveSearch(query: "walnut", chatId: "$group") { nodes { content } }',
        "???+?? +++++",
    ),
    "entityCard": ('entityCard(key: "$society") { text facts { content } }', "000.00 ....."),
    "entityCard in the group": (
        'entityCard(key: "$society", chatId: "$group") { text facts { content } }',
        "000+00 +++++",
    ),
    "timeline": ('timeline(key: "$sid_key") { nodes { content } }', "...++. +++++"),
    "timeline of the group": ('timeline(chatId: "$group") { nodes { content } }', "...+.. +++++"),
    "explain": ('explain(memoryId: "$fact") { chain { content } }', "????+? +++++"),
    "explain the group's": ('explain(memoryId: "$told") { chain { content } }', "???++? +++++"),
    "explain another's": ('explain(memoryId: "$bens_fact") { __typename }', "?????? ?????"),
    "node": ('node(id: "$fact") { ... on Memory { content } }', "0000+0 +++++"),
    "node: the group's": ('node(id: "$told") { ... on Memory { content } }', "000++0 +++++"),
    "node: another's": ('node(id: "$bens_fact") { __typename }', "000000 00000"),
    "node: the group": ('node(id: "$group") { ... on Chat { title } }', "000+00 +++++"),
    "node: its session": ('node(id: "$session") { ... on Session { turns { nodes { content } } } }', "000+00 +++++"),
    "nodes": ('nodes(ids: ["$fact", "$told"]) { ... on Memory { content } }', "...++. +++++"),
    "viewer": ("viewer { chats { nodes { title memories { nodes { content } } } } }", "...+.. +++++"),
    "chats": ("chats { nodes { title } }", "...+.. +++++"),
    "uses": ("uses { nodes { kind } }", "...... ....."),  # each caller's own uses
    "node: the uses of a memory": ('node(id: "$fact") { ... on Memory { uses { nodes { kind } } } }', "0000.0 ....."),
    "spaces": ("spaces { nodes { name } }", "...... +++++"),
    "spaces with their chats": ("spaces { nodes { chats { nodes { title } } } }", "...... ....."),
    "node: a space": ('node(id: "$space") { ... on Space { name } }', "000000 +++++"),
    "node: the space of a memory": ('node(id: "$fact") { ... on Memory { space { name } } }', "0000.0 ....."),
    "search in a space": (
        'search(query: "walnut", filter: {spaceIds: ["$space"]}) { nodes { content } }',
        "...... .....",
    ),
    "invitations": ("invitations { nodes { title } }", "..+... +++++"),
    "entity": ('entity(key: "$society") { canonicalName }', "000+00 +++++"),
    "entities": ("entities { nodes { canonicalName memories { nodes { content } } } }", "...++. +++++"),
    "communities": ('communities(chatId: "$group") { nodes { entity { canonicalName } } }', "...... ....."),
    "merges": ("merges { nodes { name } }", "...+.. +++++"),
    "suggestMerges": ("suggestMerges { nodes { one { canonicalName } } }", "...+.. +++++"),
    "persona": ('persona(name: "Atlas") { name }', "...... ....."),
    "personas": ("personas { nodes { name } }", "...... ....."),
    "sessionState": ("sessionState { lastMessage }", "...... ....."),
    "userState": ("userState { value }", "...... +++++"),
    "userStateHistory": ('userStateHistory(key: "mood") { nodes { value } }', "...... +++++"),
    "blocks": ("blocks { content }", "...... +++++"),
    "block": ('block(name: "user_model") { content }', "000000 +++++"),
    "summaries": ('summaries(chatId: "$group") { session { content } }', "...+.. +++++"),
    "sessionSummary": ('sessionSummary(sessionId: "$session") { content }', "000+00 +++++"),
    "todos": ("todos { nodes { content } }", "...... +++++"),
    "stats": ("stats { memories }", "...... ....."),
    "consolidation": ("consolidation { sessions }", "00000. 0000."),
    "recall": ("recall { __typename }", "00000. 0000."),
    "languageModel": ("languageModel { __typename }", "00000. 0000."),
    "forgettings": ("forgettings { nodes { id } }", "...... ....."),
    "forgetting of another": ('forgetting(id: "$bens_plan") { __typename }', "?????? ?????"),
    "undecidedErasures": ("undecidedErasures { __typename }", "00000. 0000."),
    "erasurePlan": ('erasurePlan(id: "$nothing") { __typename }', "00000? 0000?"),
    "exportPerson": ('exportPerson(id: "$ada")', "------ +++++"),
    "exportPerson of another": ('exportPerson(id: "$ben")', "------ -----"),
    "upkeepJobs": ("upkeepJobs { __typename }", "00000. 0000."),
    "upkeepRuns": ("upkeepRuns { __typename }", "00000. 0000."),
    "upkeepPlan": ("upkeepPlan { __typename }", "00000. 0000."),
}

MUTATIONS: Final = {
    "recordMessage": ('chatId: "$group", content: "Tea."', "???+?? +++++"),
    "recordMessage of another": ('chatId: "$group", content: "Tea.", speakerId: "$ben"', "-----+ --+--"),
    "recordMessage of another elsewhere": (
        'chatId: "$other_group", content: "Tea.", speakerId: "$ben"',
        "-----+ -----",
    ),
    "recordMessage in Ada's chat": ('chatId: "$private", content: "Tea."', "?????? +++++"),
    "recordMessage of a persona": (
        'chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "-----+ ---+-",
    ),
    "recordMessage of another persona": (
        'chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$iris"',
        "-----+ -----",
    ),
    "recordMessage of a persona in a group": (
        'chatId: "$group", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "-----+ --+--",
    ),
    "recordMessage of a persona in another's chat": (
        'chatId: "$bens", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "-----+ ---?-",
    ),
    "recordMessages": ('chatId: "$group", messages: [{content: "Tea."}, {content: "Or not."}]', "???+?? +++++"),
    "recordMessages of another": (
        'chatId: "$group", messages: [{content: "Tea."}, {content: "Tea.", speakerId: "$ben"}]',
        "-----? --+--",
    ),
    "rememberFact": ('fact: {content: "I like tea."}', "++++++ +++++"),
    "rememberFact of the group": ('fact: {content: "We like tea."}, chatId: "$group", scope: CHAT', "???+?? +++++"),
    "rememberFact about Sid": ('fact: {content: "Sid likes tea.", about: ["$sid_key"]}', "++++++ +++++"),
    "rememberFact about the society": ('fact: {content: "It likes tea.", about: ["$society"]}', "???+?? +++++"),
    "rememberFacts": ('facts: [{content: "I like tea."}]', "++++++ +++++"),
    "planForgetting": ('chatIds: ["$private"]', "++++++ +++++"),  # for others the plan is empty
    "carryOutForgetting": ('id: "$nothing"', "?????? ?????"),
    "carryOutForgetting of another's": ('id: "$bens_plan"', "?????? ?????"),
    "undoForgetting": ('id: "$nothing"', "?????? ?????"),
    "undoForgetting of another's": ('id: "$bens_plan"', "?????? ?????"),
    "purgeForgotten": ('id: "$nothing"', "?????? ?????"),
    "purgeForgotten of another's": ('id: "$bens_plan"', "?????? ?????"),
    "seedProfile": ('facts: [{content: "I like tea."}]', "++++++ +++++"),
    "correctFact": ('memoryId: "$fact", content: "Sid likes green tea."', "????-? +????"),
    "correctFact of the group": ('memoryId: "$told", content: "Sid likes green tea."', "???+?? ?????"),
    "correctFact of another's": ('memoryId: "$bens_fact", content: "I like tea."', "?????? ?????"),
    "updateMemory": ('memoryId: "$fact", content: "Sid likes green tea."', "????-? +++++"),
    "updateMemory of the group's": ('memoryId: "$told", content: "Sid likes green tea."', "???--? +++++"),
    "updateMemory of another's": ('memoryId: "$bens_fact", content: "I like tea."', "?????? ?????"),
    "unfoldMemory": ('memoryId: "$fact"', "?????? ?????"),
    "unfoldMemory of another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "shareMemory": ('memoryId: "$fact", chatId: "$group"', "????-? +++++"),  # the group knows the same fact by now
    "shareMemory elsewhere": ('memoryId: "$fact", chatId: "$other_group"', "????-? ?????"),
    "shareMemory of the group's": ('memoryId: "$told", chatId: "$group"', "???--? -----"),
    "shareMemory of another's": ('memoryId: "$bens_fact", chatId: "$group"', "?????? ?????"),
    "unshareMemory": ('memoryId: "$fact"', "????-? +++++"),
    "unshareMemory of another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "confirmFact": ('memoryId: "$fact"', "????+? +++++"),
    "confirmFact of the group's": ('memoryId: "$told"', "???-+? +++++"),
    "confirmFact of another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "pin": ('memoryId: "$fact"', "????+? +++++"),
    "pin the group's": ('memoryId: "$told"', "???-+? +++++"),
    "pin another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "unpin": ('memoryId: "$fact"', "????+? +++++"),
    "unpin another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "forget": ('memoryId: "$fact"', "????-? +????"),
    "forget the group's": ('memoryId: "$told"', "???+?? ?????"),
    "forget another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "reinforce": ('memoryId: "$fact"', "????+? +++++"),
    "reinforce the group's": ('memoryId: "$told"', "???++? +++++"),
    "demote": ('memoryId: "$fact"', "????+? +++++"),
    "demote the group's": ('memoryId: "$told"', "???++? +++++"),
    "setSensitivity": ('memoryId: "$fact", sensitivity: PERSONAL', "????+? +++++"),
    "setSensitivity of the group's": ('memoryId: "$told", sensitivity: PUBLIC', "???-+? +++++"),
    "setSensitivity of another's": ('memoryId: "$bens_fact", sensitivity: PUBLIC', "?????? ?????"),
    "setPortable": ('memoryId: "$fact", portable: true', "????+? +++++"),
    "setPortable of the group's": ('memoryId: "$told", portable: true', "???-+? +++++"),
    "setPortable of another's": ('memoryId: "$bens_fact", portable: true', "?????? ?????"),
    "updateUserState": ('key: "mood", value: "calm"', "++++++ +++++"),
    "writeBlock": ('name: "active_context", content: "tea"', "++++++ +++++"),
    "appendToBlock": ('name: "user_model", text: "tea"', "++++++ +++++"),
    "replaceInBlock": ('name: "user_model", old: "walnut", new: "walnut"', "!!!!!! +++++"),
    "deleteBlock": ('name: "active_context"', "++++++ +++++"),
    "summarizeSession": ('sessionId: "$session"', "???+?? +++++"),
    "summarizeSession elsewhere": ('sessionId: "$other_session"', "?????? ?????"),
    "addTodo": ('content: "Buy tea.", kind: COMMITMENT', "++++++ +++++"),
    "setTodoStatus": ('todoId: "$todo", status: DONE', "?????? +++++"),
    "createChat": (
        'kind: GROUP, title: "Ours", participants: [{personId: "$ada"}, {personId: "$ben"}]',
        "-----+ +++++",
    ),
    "createChat for others": ('kind: GROUP, title: "Theirs", participants: [{personId: "$ben"}]', "-----+ ----+"),
    "createChat since long ago": (
        'kind: GROUP, title: "Ours", participants: [{personId: "$ada", since: "2020-01-01T00:00Z"}]',
        "-----+ ----+",
    ),
    "createSpace": ('name: "Tea"', "++++++ +++++"),
    "createSpace of the group": ('name: "Tea", chatId: "$group"', "???+?? +++++"),
    "createSpace elsewhere": ('name: "Tea", chatId: "$other_group"', "?????? ?????"),
    "renameSpace": ('spaceId: "$space", name: "Walnuts"', "?????? +++++"),
    "setChatSpace": ('chatId: "$private", spaceId: "$space"', "?????? +++++"),
    "setChatSpace of the group": ('chatId: "$group", spaceId: "$space"', "?????? ?????"),
    "setChatSpace to none": ('chatId: "$private"', "?????? +++++"),
    "setChatSpace of another's": ('chatId: "$bens", spaceId: "$space"', "?????? ?????"),
    "moveMemory": ('memoryId: "$fact", spaceId: "$space"', "????-? +++++"),
    "moveMemory to none": ('memoryId: "$fact"', "????-? +++++"),
    "moveMemory of the group's": ('memoryId: "$told", spaceId: "$space"', "????-? ?????"),
    "moveMemory of another's": ('memoryId: "$bens_fact", spaceId: "$space"', "?????? ?????"),
    "deleteSpace": ('spaceId: "$spare"', "?????? +????"),
    "setExtraction": ('chatId: "$group", extraction: OFF', "???+?+ +++++"),
    "setExtraction elsewhere": ('chatId: "$other_group", extraction: OFF', "?????+ ????+"),
    "setTimeZone": ('timeZone: "Asia/Tokyo"', "++++++ +++++"),
    "setTimeZone of the group": ('timeZone: "Asia/Tokyo", chatId: "$group"', "???+?+ +++++"),
    "setTimeZone elsewhere": ('timeZone: "Asia/Tokyo", chatId: "$other_group"', "?????+ ????+"),
    "joinChat": ('chatId: "$group", personId: "$ben"', "???+?+ +++++"),
    "joinChat since long ago": ('chatId: "$group", personId: "$ben", since: "2020-01-01T00:00Z"', "-----+ ----+"),
    "joinChat elsewhere": ('chatId: "$other_group", personId: "$ada"', "?????+ +++++"),
    "joinChat of an account": ('chatId: "$group", personId: "$zack"', "???+?+ +++++"),
    "acceptInvitation": ('chatId: "$asked"', "?????? +++++"),
    "acceptInvitation of the group": ('chatId: "$group"', "?+++?? +++++"),
    "acceptInvitation elsewhere": ('chatId: "$other_group"', "?????? ?????"),
    "declineInvitation": ('chatId: "$asked"', "?????? +????"),
    "declineInvitation of the group": ('chatId: "$group"', "??+??? ?????"),
    "leaveChat": ('chatId: "$group", personId: "$ada"', "-----+ ?????"),
    "leaveChat of another": ('chatId: "$group", personId: "$ben"', "-----+ ----?"),
    "leaveChat elsewhere": ('chatId: "$other_group", personId: "$ben"', "-----+ ----?"),
    "closeSession": ('chatId: "$group"', "???+?+ +++++"),
    "closeSession elsewhere": ('chatId: "$other_group"', "?????+ ?????"),
    "consolidateSession": ('sessionId: "$session"', "???+?? +++++"),
    "consolidateSession elsewhere": ('sessionId: "$other_session"', "?????? ?????"),
    "createPerson": ('name: "Rui"', "++++++ +++++"),
    "updatePerson": ('personId: "$ada", name: "Ada L."', "-----+ +++++"),
    "updatePerson of another": ('personId: "$ben", name: "B. O."', "-----+ ----+"),
    "addAlias": ('personId: "$ada", alias: "Ada L."', "-----+ +++++"),
    "addAlias of another": ('personId: "$ben", alias: "B. O."', "-----+ ----+"),
    "mergeEntities": ('keep: "$society", merge: "$club"', "???+?? !!!!!"),
    "mergeEntities: persons": ('keep: "person:ben_okafor", merge: "$benno_key"', "-----+ !!!!!"),
    "unmergeEntities": ('mergeId: "$merged_things"', "???+?? ?????"),
    "unmergeEntities: persons": ('mergeId: "$merge"', "-----+ ?????"),
    "dismissMerge": ('one: "$society", other: "$club"', "???+?? +++++"),
    "dismissMerge: persons": ('one: "person:ben_okafor", other: "$benno_key"', "?????? ?????"),
    "restoreMemory": ('memoryId: "$archived"', "???-?? +????"),
    "restoreMemory of another's": ('memoryId: "$bens_fact"', "?????? ?????"),
    "createPersona": ('name: "Iris"', "-----+ ----+"),
    "runUpkeep": ('steps: ["expire"]', "-----+ ----+"),
    "retryFailed": (None, "-----+ ----+"),
    "erasePerson": ('personId: "$ada", dryRun: true', "-----+ +++++"),
    "erasePerson: another": ('personId: "$ben", dryRun: true', "-----+ ----+"),
    "erasePerson for good": ('personId: "$ben"', "-----+ ----?"),
    "erasePerson and decide": ('personId: "$ada", confirm: true, dryRun: false', "-----+ ----?"),
    "decideErasure": ('id: "$nothing", confirm: true', "-----? ----?"),
}

APART: Final[tuple[tuple[str, ...], ...]] = (
    ("correctFact", "correct_fact", "forget the group's", "restoreMemory", "erasePerson and decide"),
    ("forget", "correctFact of the group", "correct_fact of the group", "erasePerson for good"),
    (
        *("dismissMerge", "dismissMerge: persons", "unmergeEntities", "unmergeEntities: persons"),
        *("acceptInvitation", "declineInvitation of the group", "joinChat elsewhere"),
        "/memory/invitations/decline",
    ),
    (
        *("mergeEntities", "/memory/merges/accept", "mergeEntities: persons"),
        *("declineInvitation", "acceptInvitation of the group", "/memory/invitations/accept"),
        *("leaveChat of another", "leaveChat elsewhere", "leaveChat"),
    ),
)
"""Mutations, forms and tools that would change the answers of other rows. Each group is tried in a world of its own, in
this order, in which none changes the answer of a later one.
"""

SUBSCRIPTIONS: Final = {
    "memoryAdded": ("memoryAdded { content }", "...+.. +++++"),
    "memoryAdded in the group": ('memoryAdded(chatId: "$group") { content }', "???+?? +++++"),
    "workProgress": ("workProgress { __typename }", "...... ....."),
}
"""Subscriptions, and what each sends after a turn is recorded in the group."""

OPEN: Final = {"/livez", "/readyz", "/", "/memory/sign-in", "/memory/sign-out"}
"""Routes that require no credential."""

PAGES: Final = {
    "/metrics": "-----. ----.",
    "/memory?q=key": "...++. +++++",  # members can select the group there
    "/memory/": "...... .....",
    "/memory/me": "....+. .....",
    "/memory/people": "...+.. +++++",
    "/memory/entity?key=$society": "???+?? +++++",
    "/memory/entity?key=$sid_key": "...++. +++++",
    "/memory/timeline?key=$sid_key": "...++. +++++",
    "/memory/timeline?chat=$group_id": "???+?? +++++",
    "/memory/weak": "...... .....",
    "/memory/used": "...... .....",
    "/memory/merges": "...+.. +++++",
    "/memory/invitations": "..+... +++++",
    "/memory/forgotten": "...+.. +++++",  # lists the titles of the caller's chats
    "/memory/forgotten?plan=$bens_plan_id": "?????? ?????",
    "/memory/item/$fact_id": "????+? +++++",
    "/memory/item/$told_id": "???++? +++++",
    "/memory/item/$bens_fact_id": "?????? ?????",
    "/memory/nothing": "?????? ?????",
}

FORMS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "/graphql": ({"query": "{ viewer { __typename } }"}, "...... ....."),
    "/mcp": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "...... ....."),
    "/memory/item/$fact_id/confirm": ({"back": "/memory"}, "????+? +++++"),
    "/memory/item/$fact_id/share": ({"group": "$group_id"}, "????-? !!!!!"),  # Sid, its subject, is not in the group
    "/memory/item/$fact_id/unshare": ({"group": "$group_id"}, "????-? +++++"),
    "/memory/item/$told_id/confirm": ({"back": "/memory"}, "???-+? +++++"),
    "/memory/item/$bens_fact_id/confirm": ({"back": "/memory"}, "?????? ?????"),
    "/memory/merges/accept": ({"keep": "$society", "one": "$society", "other": "$club"}, "???+?? !!!!!"),
    "/memory/merges/dismiss": ({"one": "$society", "other": "$club"}, "???+?? +++++"),
    "/memory/merges/undo": ({"merge": "$merged_things"}, "???+?? ?????"),
    "/memory/forgotten/plan": ({"memory": "$fact_id"}, "++++++ +++++"),  # for others the plan is empty
    "/memory/forgotten/carry-out": ({"id": "$bens_plan_id"}, "?????? ?????"),
    "/memory/forgotten/undo": ({"id": "$bens_plan_id"}, "?????? ?????"),
    "/memory/forgotten/purge": ({"id": "$bens_plan_id"}, "?????? ?????"),
    "/memory/invitations/accept": ({"chat": "$group_id"}, "?+++?? +++++"),
    "/memory/invitations/decline": ({"chat": "$group_id"}, "??+??? ?????"),
}

TOOLS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "get_context": ({"query": "society of nuts"}, "...... +++++"),
    "get_context in the group": ({"query": "society of nuts", "chat": "$group"}, "???+?? +++++"),
    "search_memory": ({"query": "walnut"}, "....+. +++++"),
    "search_memory in the group": ({"query": "walnut", "chat": "$group"}, "???+?? +++++"),
    "search_memory in the archive": ({"query": "walnut", "archived": True}, "...... +++++"),
    "get_entity_info": ({"entity": "$society"}, "???+?? +++++"),
    "get_entity_info of Sid": ({"entity": "$sid_key"}, "...++. +++++"),
    "explain_fact": ({"memory_id": "$fact"}, "????+? +++++"),
    "explain_fact of the group": ({"memory_id": "$told"}, "???++? +++++"),
    "weak_facts": ({"below": 1}, "...++. +++++"),
    "memory_stats": ({}, "...... ....."),
    "record_turns": ({"chat": "$group", "turns": [{"content": "Tea.", "role": "user"}]}, "???+?? +++++"),
    "record_turns of a persona": (
        {"chat": "$private", "persona": "$atlas", "turns": [{"content": "Tea.", "role": "agent"}]},
        "?????? ---+-",
    ),
    "close_session": ({"chat": "$group"}, "???+?? +++++"),
    "remember_fact": ({"content": "I like tea."}, "++++++ +++++"),
    "remember_fact of the group": ({"content": "We like tea.", "chat": "$group", "for_chat": True}, "???+?? +++++"),
    "correct_fact": ({"memory_id": "$fact", "content": "Sid likes green tea."}, "????-? +????"),
    "correct_fact of the group": ({"memory_id": "$told", "content": "Sid likes green tea."}, "???+?? ?????"),
    "update_memory": ({"memory_id": "$fact", "content": "Sid likes green tea."}, "????-? +++++"),
    "mark_memory": ({"memory_ids": ["$fact"], "mark": "pin"}, "????+? +++++"),
    "mark_memory of the group": ({"memory_ids": ["$told"], "mark": "confirm"}, "???-+? +++++"),
    "forget": ({"memory_id": "$fact"}, "????-? +????"),
    "forget the group's": ({"memory_id": "$told"}, "???+?? ?????"),
    "purge": ({"memory_ids": ["$fact"]}, "????+? +++++"),
    "block_write": ({"name": "active_context", "content": "tea"}, "++++++ +++++"),
    "block_read": ({}, "...... +++++"),
    "block_delete": ({"name": "active_context"}, "++++++ +++++"),
    "update_user_state": ({"key": "mood", "value": "calm"}, "++++++ +++++"),
    "user_state_history": ({"key": "mood"}, "...... +++++"),
    "todo_list": ({}, "...... +++++"),
    "todo_write": ({"todo_id": "$todo", "status": "done"}, "?????? +++++"),
    "person_write": ({"name": "Rui"}, "++++++ +++++"),
    "person_write of another": ({"person": "person:ben_okafor", "name": "B. O."}, "-----+ ----+"),
}

RESOURCES: Final = {
    "hippograph://context": "...... +++++",
    "hippograph://context?chat=$group": "???+?? +++++",
    "hippograph://card/$society": "???.?? .....",
    "hippograph://card/$sid_key": "...++. +++++",
}

COMMANDS: Final = {
    "search": ("walnut", ".+ +"),
    "search in the group": ("walnut --chat $group", "?+ +"),
    "context": ("'society of nuts'", "...+.. +"),
    "context in the group": ("'society of nuts' --chat $group", "?+ +"),
    "card": ("$society", "?+ +"),
    "timeline": ("$sid_key", ".+ +"),
    "explain": ("$fact", "?? +"),
    "explain the group's": ("$told", "?+ +"),
    "summary": ("--chat $group", "?+ +"),
    "archive search": ("walnut", ".. +"),
    "archive list": ("", ".. +"),
    "todo list": ("", ".. +"),
    "block list": ("", ".. ."),  # names only
    "block read": ("user_model", "?? +"),
    "chat list": ("", ".+ +"),
    "chat invitations": ("", ".. +"),
    "export": ("-", "...++. +"),
    "remember": ("'I like tea.'", "++ +"),
    "remember in the group": ("'We like tea.' --chat $group --for-chat", "?+ +"),
    "summarize": ("$session", "?+ +"),
    "time-zone": ("Asia/Tokyo", "++ +"),
    "time-zone of the group": ("Asia/Tokyo --chat $group", "?+ +"),
    "memory confirm": ("$fact", "?? +"),
    "memory pin": ("$fact", "?? +"),
    "memory unpin": ("$fact", "?? +"),
    "memory reinforce": ("$fact", "?? +"),
    "memory demote": ("$fact", "?? +"),
    "memory sensitivity": ("$fact personal", "?? +"),
    "memory portable": ("$fact true", "?? +"),
    "memory unfold": ("$fact", "?? ?"),
    "memory share": ("$fact $group", "?? !"),
    "memory unshare": ("$fact", "?? +"),
    "memory seed": ("'I like tea.'", "++ +"),
    "memory update": ("$fact 'Sid likes green tea.'", "?? +"),
    "memory correct": ("$fact 'Sid likes black tea.'", "?? +"),
    "memory forget": ("$told", "?+ ?"),
    "memory forgotten": ("", ".. ."),
    "memory undo": ("$bens_plan_id", "?? ?"),
    "memory purge": ("--forgotten $bens_plan_id --yes", "?? ?"),
    "archive restore": ("$archived", "?- +"),
    "todo add": ("'Buy tea.'", "++ +"),
    "todo done": ("$todo", "?? +"),
    "todo reopen": ("$todo", "?? +"),
    "todo drop": ("$todo", "?? +"),
    "block write": ("active_context tea", "++ +"),
    "block append": ("user_model tea", "++ +"),
    "block replace": ("user_model walnut walnut", "!! +"),
    "block delete": ("active_context", "++ +"),
    "chat accept": ("$group", "?+++?? +"),
    "chat decline": ("$asked", "?? +"),
    "space list": ("", ".. +"),
    "space create": ("Tea", "++ +"),
    "space rename": ("$space_id Walnuts", "?? +"),
    "space move": ("--memory $fact --to $space_id", "?? +"),
    "space delete": ("$spare_id", "?? +"),
}
"""Commands, with `--as` a stranger, a member of the group and then Ada, or for those of `FOR_ALL` each of the other
people and then Ada. All run with the operator's rights. Other entry points try for all kinds what most commands call.
"""

FOR_ALL: Final = {"chat accept", "context", "export"}
"""Commands that everybody tries: those who were invited or have left may accept too, at no other entry point does
another person's context outside the group have the word, and no other entry point exports what a person may see.
"""

READING: Final = {
    *("search", "context", "card", "timeline", "explain", "summary", "archive search", "archive list", "todo list"),
    *("block list", "block read", "chat list", "chat invitations", "space list", "export"),
    "memory forgotten",
}
"""Commands of `COMMANDS` that change nothing."""

OPERATORS: Final = {
    *("serve", "worker", "demo", "mcp", "import", "communities", "migrate", "doctor", "consolidate", "gc", "settings"),
    *("reembed", "maintenance run", "maintenance plan", "maintenance status"),
    *("hook enable", "hook disable", "hook list"),
    *("neo4j install", "neo4j start", "neo4j stop", "neo4j status", "neo4j logs", "neo4j browser"),
    *("neo4j connection", "neo4j dump", "neo4j restore"),
    *("token create", "token list", "token narrow", "token revoke"),
    *("person export", "person erase", "person plan", "person confirm", "person dismiss"),
}
"""Commands without `--as`: they are for the operator, who has access to the machine and may do everything."""
