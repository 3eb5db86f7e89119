"""German: every sentence that an operator reads."""

from __future__ import annotations

from farhand.notes.language import Language, Wording
from farhand.notes.note_spec import READER_NOTES

__all__ = ["GERMAN"]

W = Wording
AGAIN = "Lassen Sie los und drücken Sie erneut, sobald das Signal wieder da ist."
KEY_AGAIN = "Lassen Sie die Taste los und drücken Sie sie erneut."
BACK_AT_ONCE = "Rückwärts reagiert er sofort."

_FILTERS = {
    "limits.speed": W("Die Werkzeugspitze ist auf {speed} begrenzt."),
    "limits.turn": W("Die Drehung der Werkzeugspitze ist auf {rate} begrenzt."),
    "fixture.drawn": W(
        "{fixture} zieht die Werkzeugspitze {shift} von der Bahn Ihrer Hand weg.",
        way="Ziehen Sie weiter weg, um sich davon zu lösen.",
        exam="Eine Führung zieht die Werkzeugspitze von der Bahn Ihrer Hand weg.",
    ),
    "compliance.pressed": W("Die Kontaktkraft an der Werkzeugspitze beträgt {force}."),
    "compliance.yields": W("Die Kontaktkraft an der Werkzeugspitze beträgt {force}; ab {threshold} gibt sie nach."),
    "compliance.twisted": W("Das Drehmoment an der Werkzeugspitze beträgt {torque}."),
    "compliance.turns": W("Das Drehmoment an der Werkzeugspitze beträgt {torque}; ab {threshold} gibt sie nach."),
    "scale.ramp": W("Sanfter Anlauf."),
    "smooth.behind": W("Ihre Hand ist dem Roboter voraus; seine Werkzeugspitze fährt höchstens {speed} und {rate}."),
    "smooth.speed": W("Sie verlangen mehr als die Höchstgeschwindigkeit der Werkzeugspitze ({speed} und {rate})."),
    "wrist.zeroed": W("Der Kraftsensor ist auf null gesetzt."),
    "wrist.zero.holding": W("Der Kraftsensor kann nicht auf null gesetzt werden, solange der Greifer etwas hält."),
    "wrist.zero.touching": W(
        "Der Kraftsensor kann nicht auf null gesetzt werden: er misst zu viel Kraft. Machen Sie zuerst den Arm frei."
    ),
    "wrist.broken": W("{Cause}"),
    "wrist.silent": W("der Kraftsensor sendet nichts."),
    "wrist.numbers": W("der Kraftsensor sendet keine gültigen Zahlen."),
    "wrist.blind": W(
        "{cause} Setzen Sie den Roboter zurück, sobald der Sensor wieder antwortet, oder schalten Sie die "
        "Nachgiebigkeit aus, um ohne ihn zu fahren."
    ),
}

_MASTERS = {
    "mapping.slip": W(
        "Ihre Hand ist über {lead} voraus; was darüber hinausgeht, wird nicht übernommen.",
        way=BACK_AT_ONCE,
        exam="Ihre Hand ist zu weit voraus; was darüber hinausgeht, wird nicht übernommen.",
    ),
    "mapping.slip.joint": W(
        "Der Master ist dem Gelenk {joint} über {lead} voraus; was darüber hinausgeht, wird nicht übernommen.",
        way=BACK_AT_ONCE,
        exam="Der Master ist dem Gelenk {joint} zu weit voraus; was darüber hinausgeht, wird nicht übernommen.",
    ),
    "mapping.apart": W(
        "Gelenk {joint} ist {offset} von der Stellung des Masters entfernt.",
        way="Lassen Sie los und drücken Sie erneut: der Roboter fährt dann langsam dorthin.",
        exam="Gelenk {joint} steht nicht in der Stellung des Masters.",
    ),
    "lane.press": W("Lassen Sie die Taste los und drücken Sie sie erneut, um zu starten."),
    "lane.deadman": W("Der Steuerknüppel ist ausgelenkt, aber die Zustimmtaste ist nicht gedrückt."),
    "lane.reading": W(
        "Eine Eingabe wurde abgelehnt: sie ist alt, wiederholt, von vor einem Wechsel der Steuerung oder keine Zahl."
    ),
    "lane.lost": W("Der Master sendet keine {signal} mehr: der Roboter hält an.", way=AGAIN),
    "lane.lost.none": W(
        "Diese Steuerungsart braucht {signal}; das Gerät sendet keine. Der Roboter hält an.",
        way="Wählen Sie eine andere Steuerungsart, oder drücken Sie erneut, sobald das Signal da ist.",
    ),
    "lane.lost.jumped": W(
        "Die Pose des Masters sprang schneller, als eine Hand sich bewegt: die Ortung ist verloren, der Roboter hält "
        "an.",
        way=AGAIN,
    ),
    "lane.lost.back": W("Das Signal des Masters war weg und ist wieder da.", way=KEY_AGAIN),
    "lane.undeflected": W(
        "Diese Steuerungsart braucht Achsausschläge; das Gerät sendet keine.",
        way="Wählen Sie eine andere Steuerungsart.",
    ),
    "lane.behind": W(
        "Der Master ist voraus: die Gelenke des Roboters fahren höchstens mit {share} ihrer Höchstgeschwindigkeit."
    ),
    "lane.mapping": W(
        "Die Steuerungsart „{mapping}“ wurde während der Benutzung entfernt; stattdessen ist „{chosen}“ gewählt."
    ),
    "link.unechoed": W(
        "Diese Eingaben senden keinen Takt zurück; ihr Alter ist unbekannt, sie können den Roboter nicht steuern.",
        way="Senden Sie mit jeder Eingabe den neuesten Takt zurück.",
    ),
    "link.press.measuring": W(
        "Die Verzögerung der Verbindung wird noch gemessen.",
        way="Lassen Sie die Taste los und drücken Sie sie in einer halben Sekunde erneut.",
    ),
    "link.press.blind": W(
        "Das Bild auf Ihrer Seite ist {age} alt, erlaubt sind höchstens {allowed}.",
        way="Drücken Sie erneut, sobald das Bild wieder da ist.",
    ),
    "link.press.slow": W(
        "Die Verbindung ist zu langsam: Ihre Eingabe ist {age} alt, diese Zelle erlaubt {allowed}.",
        way="Benutzen Sie eine schnellere Verbindung.",
    ),
    "link.press.late": W("Ihre Eingabe ist {age} alt, üblich sind bei dieser Verbindung {usual}.", way=KEY_AGAIN),
    "link.late": W("Ihre Eingabe ist {age} alt, üblich sind bei dieser Verbindung {usual}."),
    "link.blind": W("das Bild auf Ihrer Seite ist {age} alt, erlaubt sind höchstens {allowed}."),
    "link.distant": W(
        "dieser Rechner ist zu ausgelastet für die Echtzeit, die eine Verbindung mit {usual} Verzögerung braucht."
    ),
    "link.unbounded": W(
        "Die Geschwindigkeitsgrenze für entfernte Verbindungen ist aus: Ihre Eingabe braucht {age}, rechnen Sie mit "
        "Nachlauf."
    ),
    "link.slow": W(
        "{part} auf {speed} verlangsamt: Ihre Eingabe braucht {age}, in dieser Zeit sind {overrun} Weg möglich.",
        exam="{part} auf {speed} verlangsamt: Ihre Eingabe braucht {age}.",
    ),
    "master.axis": W("der Master hat einen Achsausschlag gesendet, der nicht zwischen -1 und 1 liegt."),
    "master.grip": W("der Master hat einen Greiferwert gesendet, der nicht zwischen 0 und 1 liegt."),
    "master.joint": W("der Master hat eine Gelenkstellung gesendet, die keine Zahl ist."),
    "master.pose": W("der Master hat eine ungültige Pose gesendet."),
    "master.velocity": W("der Master hat eine Geschwindigkeit gesendet, die keine Zahl ist."),
    "master.view": W("der Master hat eine ungültige Blickrichtung gesendet."),
}

_MODES = {
    "mode.paused": W("Pause: {cause}"),
    "mode.stopped": W("Gestoppt: {cause}"),
    "mode.fault": W("Störung: {cause}"),
    "mode.off": W("Der Roboter ist aus.", way="Schalten Sie ihn ein, um zu fahren."),
    "mode.powering": W("Der Roboter wird eingeschaltet.", way="Sie können gleich fahren."),
    "stop.pressed": W("{person} hat Stopp gedrückt.", bare="Stopp wurde gedrückt.", you="Sie haben Stopp gedrückt."),
    "stop.said": W("{person} hat Stopp gesagt.", you="Sie haben Stopp gesagt."),
    "stop.reason": W("{detail}", exam="Stopp wurde gedrückt."),
    "cell.restarted": W("die Zelle wurde neu gestartet, nachdem ihr Prozess geendet hatte."),
    "cell.busy": W("dieser Rechner ist zu ausgelastet, um mitzuhalten."),
    "cell.held-up": W("dieser Rechner war {time} lang zu ausgelastet."),
    "input.none": W("keine Eingabe seit {time}."),
    "input.lost": W("keine Eingabe seit mehr als {time}."),
    "input.stale": W("keine frische Eingabe seit mehr als {time}."),
    "lease.passed": W("die Steuerung ging an eine andere Person über."),
    "joint.beyond": W("Gelenk {joint} wurde über seine Grenze gedrückt."),
    "joint.fast": W("Gelenk {joint} wurde über seine Höchstgeschwindigkeit hinaus gedrückt."),
    "demand.kind": W("die Gruppe {group} kann den Befehl von „{source}“ nicht ausführen."),
    "demand.number": W("der Befehl von „{source}“ an die Gruppe {group} ist keine Zahl."),
    "demand.count": W("der Befehl von „{source}“ hat {found} Gelenkraten; die Gruppe {group} hat {joints} Gelenke."),
    "stage.broke": W(
        "eine Stufe von {robot} ist ausgefallen ({detail}).", exam="eine Stufe von {robot} ist ausgefallen."
    ),
}

_STUCK = "Gelenk {joint} steckt fest: ein Hindernis ist im Weg, oder die Last ist zu schwer."
_STUCK_AT = "Gelenk {joint} steckt fest: im Weg ist {obstacles}, oder die Last ist zu schwer."

_MOTION = {
    "servo.velocity": W("Gelenk {joint} ist an seiner Höchstgeschwindigkeit."),
    "servo.limit": W("Gelenk {joint} ist an seiner {side} Grenze."),
    "servo.fold": W(
        "Gelenk {joint} ist fast {posture}. Die Werkzeugspitze kommt so nicht weiter.",
        way="Jede andere Richtung ist frei; mit dem Gelenk selbst kommen Sie hindurch.",
    ),
    "servo.lacks": W(
        "Ein Arm mit {joints} Gelenken kann das nicht ganz: ihm fehlt die {motion}.",
        way="Er folgt so genau wie möglich.",
    ),
    "servo.singular": W("Der Arm ist nahe an einer Singularität: die Bewegung wird gedämpft."),
    "servo.wall": W(
        "Die Werkzeugspitze ist {clearance} vor einer Grenze: {place}.",
        bare="Die Werkzeugspitze hat eine Grenze erreicht: {place}.",
        exam="Die Werkzeugspitze hat den Rand ihres Bereichs erreicht.",
    ),
    "servo.wall.inside": W(
        "Die Werkzeugspitze ist in einem gesperrten Bereich: {place}.",
        exam="Die Werkzeugspitze ist, wo sie nicht sein darf.",
    ),
    "servo.wall.beyond": W(
        "Die Werkzeugspitze ist jenseits einer Grenze: {place}.",
        exam="Die Werkzeugspitze ist außerhalb ihres Bereichs.",
    ),
    "servo.carried": W(
        "Die Werkzeugspitze ist {shift} und {turn} neben der Bahn Ihrer Hand: der Arm konnte nicht folgen.",
        way="Lassen Sie los und drücken Sie erneut, um von hier aus weiterzufahren.",
        exam="Die Werkzeugspitze ist neben der Bahn Ihrer Hand: der Arm konnte nicht folgen.",
    ),
    "guard.number": W("Ein Befehl war keine Zahl; der Roboter bremst."),
    "guard.lag": W(_STUCK_AT, bare=_STUCK, exam=_STUCK),
    "flippers.lag": W(_STUCK_AT, bare=_STUCK, exam=_STUCK),
    "avoid.near": W(
        "{first} ist {clearance} von {second} entfernt und darf es nicht berühren.",
        bare="{first} ist zu nahe an {second}.",
        exam="Der Arm ist nahe an einem Hindernis, das er nicht berühren darf.",
    ),
    "avoid.touch": W(
        "Auf {speed} verlangsamt: {first} darf {second} berühren.",
        exam="Auf {speed} verlangsamt: der Arm darf ein Hindernis berühren.",
    ),
    "avoid.slides": W(
        "{first} bewegt sich zu schnell an {second} entlang, um es zu berühren: bleiben Sie unter {speed}.",
        exam="Der Arm bewegt sich zu schnell an einem Hindernis entlang, um es zu berühren: bleiben Sie unter {speed}.",
    ),
    "avoid.eases": W("Der Arm wird langsamer, um sanft zu berühren."),
    "gripper.jammed": W(
        "Der Greifer öffnet nicht: seine Backen klemmen.",
        way="Schließen Sie ihn, oder bewegen Sie den Arm, um die Backen zu lösen.",
    ),
    "lane.free": W("Rückzug auf der Bahn, die hineinführte."),
    "lane.free.left": W("Der Rückzug wurde unterbrochen.", way="Drücken Sie erneut „Rückzug“, um ihn fortzusetzen."),
    "lane.planning": W("Eine freie Bahn wird gesucht."),
    "lane.stuck": W("{robot} hat die Fahrt vorzeitig beendet. {Cause}"),
    "lane.held": W("ein Hindernis oder eine Grenze hält den Arm auf."),
    "lesson.full": W("Die Aufzeichnung ist voll: sie hat {points} Punkte. Speichern oder verwerfen Sie sie."),
    "lesson.dropped": W(
        "Die Aufzeichnung wurde verworfen: der Roboter wurde versetzt oder verändert. Beginnen Sie sie neu."
    ),
    "fault-finding.feedforward": W("Die Vorsteuerung ist zur Fehlersuche aus: der Arm sackt ab."),
    "fault-finding.filter": W("Der Filter {filter} ist zur Fehlersuche aus."),
    "fault-finding.generator": W(
        "Ein Signalgenerator ersetzt die Hand: {wave} mit {amplitude} auf {axis}, {frequency}.",
        bare="Ein Signalgenerator ersetzt die Hand: {wave} mit {amplitude} auf {axis}.",
    ),
    "fault-finding.generator.axis": W(
        "Ein Signalgenerator ersetzt die Hand, aber diese Steuerungsart hat keine Achse {number}."
    ),
}

_TRACKS = {
    "base.top": W(
        "Die Ketten sind an ihrer Höchstgeschwindigkeit: Fahrt und Drehung werden im selben Verhältnis verlangsamt.",
        way="Fahren Sie langsamer, oder drehen Sie weniger.",
    ),
    "base.carries": W(
        "Die Ketten sind verlangsamt: sie tragen {first} zu {second} hin, noch {clearance}.",
        bare="Die Ketten sind verlangsamt: sie tragen die Werkzeugspitze gegen ein Hindernis.",
        exam="Die Ketten sind verlangsamt: sie tragen den Arm zu einem Hindernis hin.",
        way="Sie können auch den Arm zurückziehen.",
    ),
    "base.flipper": W(
        "{second} ist verlangsamt und dreht sich zu {first} hin, noch {clearance}.",
        exam="Ein Flipper ist verlangsamt: er dreht sich zum Arm hin.",
        way="Sie können auch den Arm wegbewegen.",
    ),
    "base.over": W(
        "Der Roboter ist umgekippt.",
        way="Richten Sie ihn mit Flippern oder Arm gegen den Boden auf, oder setzen Sie den Roboter zurück.",
    ),
    "base.stuck": W(
        "Der Roboter steckt fest: ein Hindernis hält ihn, oder seine Motoren sind dafür zu schwach.",
        way="Fahren Sie zurück, oder heben Sie ihn mit den Flippern über die Kante.",
    ),
    "base.held": W(
        "Der Roboter dreht nicht wie verlangt: ein Hindernis hält ihn, oder seine Motoren sind dafür zu schwach.",
        way="Drehen Sie andersherum, oder fahren Sie dorthin, wo Platz ist.",
    ),
    "base.fallen": W(
        "Der Roboter ist gefallen.",
        way="Prüfen Sie, ob er aufrecht steht und sein Arm frei ist. Richten Sie ihn mit Flippern oder Arm auf, oder "
        "setzen Sie ihn zurück.",
    ),
    "base.parked": W("Die Feststellbremse ist gesetzt: die Ketten stehen.", way="Lösen Sie sie, um zu fahren."),
    "base.slip": W(
        "Die Ketten rutschen durch.",
        way="Fahren Sie langsamer, oder senken Sie die Flipper, damit mehr Kette auf dem Boden liegt.",
    ),
    "base.slide": W(
        "Der Roboter rutscht: der Boden ist für seine Ketten zu glatt oder zu steil.",
        way="Drehen Sie ihn hangabwärts, oder fahren Sie auf ebenen Boden hinab.",
    ),
}

_FROZEN = "die Zelle ist in ihrem letzten guten Zustand eingefroren."

_CELL = {
    "world.frozen": W("Die Zelle ist in ihrem letzten guten Zustand eingefroren, weil ihre Physik instabil wurde."),
    "world.diverged": W(
        f"die Physik von {{body}} ({{robot}}) wurde instabil; {_FROZEN}",
        exam=f"die Physik wurde instabil; {_FROZEN}",
    ),
    "world.diverged.object": W(
        f"die Physik von {{body}} wurde instabil; {_FROZEN}", exam=f"die Physik wurde instabil; {_FROZEN}"
    ),
    "cell.falls": W("{body} ist in der Luft und fällt.", exam="Ein Gegenstand ist in der Luft und fällt."),
    "cell.blocked": W(
        "{body} bleibt, wie es ist: ein Hindernis ist im Weg.",
        exam="Ein Gegenstand bleibt, wie er ist: ein Hindernis ist im Weg.",
    ),
    "cell.raised": W(
        "Am Platz von {robot} steht ein Hindernis: der Roboter startet {height} darüber.",
        exam="Am Platz von {robot} steht ein Hindernis: der Roboter startet darüber.",
    ),
    "cell.height": W(
        "Der Sockel steht {height} über dem Boden, damit der Roboter Platz hat.",
        exam="Der Sockel steht über dem Boden, damit der Roboter Platz hat.",
    ),
    "cell.stranger": W("Kein Roboter wird vom Master „{master}“ gesteuert; seine Eingaben bleiben unbeachtet."),
    "cell.slow": W("Die Zelle läuft mit {share} der Echtzeit: dieser Rechner ist ausgelastet."),
    "cell.slow.paused": W("Die Roboter pausieren: dieser Rechner ist zu ausgelastet für die Zelle."),
    "cell.unprotected": W(
        "Die Kraftrückmeldung ist an, aber weder `compliance` noch `avoid` schützt die Umgebung des Roboters: er kann "
        "mit der ganzen Kraft seiner Antriebe drücken. Nehmen Sie eines davon in die Zellendatei auf."
    ),
    "cell.numb": W(
        "Der Kraftsensor am Handgelenk kann keine Berührung messen: Kein Teil hinter ihm hat eine Kollisionsform. "
        "Geben Sie dem Roboter ein Werkzeug mit Kollisionsformen, oder entfernen Sie `wrist` aus der Zellendatei: Dann "
        "zählt die Kontaktkraft des letzten festen Glieds."
    ),
    "cell.unslowed": W(
        "Die Nachgiebigkeit gibt ab {threshold} nach, bremst aber die Annäherung nicht: bei voller Fahrt kann der "
        "erste Stoß vielfach härter sein. Mit `avoid` nähert sich der Arm langsam."
    ),
    "cell.unslowed.linkage": W(
        "Die Nachgiebigkeit gibt ab {threshold} nach, bremst aber die Annäherung nicht: bei voller Fahrt kann der "
        "erste Stoß vielfach härter sein. `avoid` ist für Arme, deren Gelenke eine Kette bilden; hier kann `limits` "
        "die ganze Bewegung langsam halten."
    ),
    "robot.tool": W("Das Werkzeug {tool} zeigt entlang {axis} der Spitze, vom letzten Gelenk weg."),
}

_FILES = {f"robot.{name}": W("Aus der Roboterdatei: {detail}") for name in READER_NOTES}

_REFUSALS = {
    "cell.refused": W("Abgelehnt: {cause}"),
    "lane.refused": W("Abgelehnt: {cause}"),
    "refused.detail": W("{detail}."),
    "refused.broken": W("{event} ist fehlgeschlagen ({detail}).", exam="{event} ist fehlgeschlagen."),
    "refused.unknown": W("{kind} „{name}“ gibt es nicht; vorhanden: {known}.", exam="{kind} gibt es hier nicht."),
    "refused.unknown.guess": W(
        "{kind} „{name}“ gibt es nicht (meinten Sie „{guess}“?); vorhanden: {known}.",
        exam="{kind} gibt es hier nicht.",
    ),
    "refused.mapping": W(
        "{robot} hat keine Steuerungsart „{mapping}“; vorhanden: {known}.",
        exam="{robot} hat keine Steuerungsart „{mapping}“.",
    ),
    "refused.filter": W(
        "{robot} hat keinen Filter „{filter}“; vorhanden: {known}.", exam="{robot} hat keinen Filter „{filter}“."
    ),
    "refused.level": W("die Geschwindigkeitsstufe lässt sich nicht abschalten; wählen Sie eine andere."),
    "refused.speed": W("die Geschwindigkeitsstufe {level} liegt nicht zwischen 1 und {levels}."),
    "refused.scale": W("Maßstab {scale} liegt nicht zwischen {lowest} und {highest}."),
    "refused.power": W("{robot} hat keinen Netzschalter."),
    "refused.brake": W("{robot} hat keine Ketten und keine Feststellbremse."),
    "refused.axis": W(
        "diese Steuerungsart hat keine Achse {number} für einen Generator; vorhanden: {known}.",
        bare="diese Steuerungsart hat keine Achsen für einen Generator, sie folgt einer Pose.",
        exam="diese Steuerungsart hat keine Achse {number} für einen Generator.",
    ),
    "refused.zero.moving": W("der Kraftsensor lässt sich nur im Stand auf null setzen: lassen Sie zuerst los."),
    "refused.zero.missing": W("dieser Roboter hat keinen Kraftsensor am Handgelenk."),
    "refused.teach": W("{robot} kann das nicht aufzeichnen: {cause}"),
    "lesson.none": W("es läuft keine Aufzeichnung."),
    "lesson.begun": W("es läuft schon eine Aufzeichnung; speichern oder verwerfen Sie sie zuerst."),
    "lesson.recording": W("es läuft eine Aufzeichnung; speichern oder verwerfen Sie sie zuerst."),
    "lesson.points": W("eine Bahn hat höchstens {points} Punkte."),
    "lesson.same": W("der Arm ist noch am letzten Punkt."),
    "lesson.empty": W("es gibt noch nichts zu speichern: fahren Sie den Arm, oder fügen Sie Punkte hinzu."),
    "refused.move": W("{robot} kann nicht von selbst fahren: {cause}"),
    "move.stopped": W("der Roboter ist gestoppt; setzen Sie ihn zuerst zurück."),
    "move.unpowered": W("der Roboter ist noch ohne Strom."),
    "move.driven": W("er wird gerade gefahren; lassen Sie zuerst los."),
    "move.absent": W("die bedienende Person sendet keine frischen Eingaben."),
    "move.nothing": W("es gibt keine Fahrt, die Sie fortsetzen können."),
    "move.no-trail": W("es gibt keine Bahn für den Rückzug: keine Bewegung hierher ist aufgezeichnet."),
    "move.held": W("er darf sich jetzt nicht bewegen."),
    "move.reach": W("seine Spitze kommt nicht dorthin."),
    "move.reach.far": W("das ist für seine Spitze zu weit weg."),
    "move.reach.joint": W("ein Gelenk erreicht seine Grenze, bevor die Spitze dort ist."),
    "move.reach.turn": W("seine Spitze kann dort nicht so ausgerichtet werden."),
    "plan.moved": W("der Arm hat sich bewegt, oder ein anderer Befehl kam: bitte den Befehl wiederholen."),
    "plan.changed": W("die Umgebung des Arms hat sich geändert: bitte den Befehl wiederholen."),
    "plan.late": W(
        "die Suche nach einem Umweg dauerte zu lange: bitte wiederholen oder erst ein Stück von Hand fahren."
    ),
    "plan.none": W("dorthin gibt es keine freie Bahn."),
    "plan.start": W(
        "{first} ist hier zu nahe an {second}: bitte erst von Hand wegfahren.",
        exam="der Arm ist hier zu nahe an einem Hindernis: bitte erst von Hand wegfahren.",
    ),
    "plan.goal": W(
        "am Ziel wäre {first} zu nahe an {second}.", exam="am Ziel wäre der Arm zu nahe an einem Hindernis."
    ),
    "plan.way": W(
        "keine freie Bahn gefunden; auf der geraden Bahn träfe {first} auf {second}.",
        exam="keine freie Bahn gefunden.",
    ),
    "plan.reach": W("der Arm reicht in keiner Stellung dorthin."),
    "move.detail": W("{detail}."),
    "refused.inside": W("{body} wäre in {other}.", exam="ein Gegenstand wäre in einem anderen Körper."),
    "refused.gripped": W(
        "{robot} hält {body}: öffnen Sie zuerst den Greifer.", exam="{robot} hält es: öffnen Sie zuerst den Greifer."
    ),
    "refused.loaded": W(
        "{body} trägt {other}: bewegen Sie zuerst {other}.",
        exam="es trägt einen anderen Gegenstand: bewegen Sie den zuerst.",
    ),
    "refused.hung": W(
        "{body} hängt an {other}; entfernen Sie zuerst {body}.", exam="ein anderer Gegenstand hängt daran."
    ),
    "refused.hangs": W(
        "{body} hängt an {other}; bewegen Sie stattdessen {other}.", exam="es hängt an einem anderen Gegenstand."
    ),
    "refused.taken": W("der Name „{name}“ ist in dieser Welt vergeben; Namen sind eindeutig."),
    "refused.object": W("Gegenstand „{name}“: {detail}.", exam="Gegenstand „{name}“ ist nicht möglich."),
    "refused.change": W("{robot} kann nicht wechseln ({equipment}): {cause}"),
    "refused.quick-change": W("{robot} hat keinen Werkzeugwechsler."),
    "change.mode": W("seine Betriebsart ist „{mode}“; er muss bereit, gestoppt oder aus sein."),
    "change.moving": W("er bewegt sich."),
    "change.driving": W("er fährt."),
    "change.holding": W("er hält einen Gegenstand; legen Sie ihn zuerst ab."),
    "change.inside": W(
        "{tool} wäre in {other}; heben Sie zuerst den Arm.", exam="für {tool} ist kein Platz; heben Sie zuerst den Arm."
    ),
}

_SERVER = {
    "order.overtaken": W(
        "Der Befehl hat sich verspätet, und spätere kamen zuerst. Geben Sie ihn erneut, wenn Sie ihn noch wollen."
    ),
    "order.replay": W("Dies ist eine Wiedergabe: Nichts lässt sich steuern."),
    "order.no-replay": W("Diese Zelle läuft gerade: Nur eine Wiedergabe lässt sich abspielen."),
    "order.many": W("Es warten zu viele Befehle: versuchen Sie es gleich noch einmal."),
    "order.restarted": W(
        "Die Zelle wurde neu gestartet, bevor sie antwortete. Geben Sie den Befehl erneut, wenn Sie ihn noch wollen."
    ),
    "order.silent": W("Die Zelle antwortet nicht."),
    "gateway.controls": W("{person} steuert {robot}."),
    "gateway.free": W("Niemand steuert {robot}."),
    "gateway.sent": W("{person} hat {other} hinausgeschickt."),
    "gateway.detail": W("{detail}"),
    "gateway.ended": W("{detail}"),
}

_WORDS = {
    "signal": {"pose": "Posen", "joints": "Gelenkstellungen", "axes": "Achsausschläge"},
    "part": {"tip": "Werkzeugspitze", "base": "Fahrwerk"},
    "side": {"upper": "oberen", "lower": "unteren"},
    "posture": {"straight": "gestreckt", "folded": "ganz eingeklappt"},
    "motion": {
        **{f"shift-{axis}": f"Verschiebung entlang {axis}" for axis in "xyz"},
        **{f"turn-{axis}": f"Drehung um {axis}" for axis in "xyz"},
    },
    "face": {
        "front": "Vorderseite des Arbeitsraums",
        "rear": "Rückseite des Arbeitsraums",
        "left": "linke Seite des Arbeitsraums",
        "right": "rechte Seite des Arbeitsraums",
        "upper": "Oberseite des Arbeitsraums",
        "lower": "Unterseite des Arbeitsraums",
    },
    "equipment": {"tool": "Werkzeug", "drive": "Antrieb"},
    "wave": {"sine": "Sinus", "square": "Rechteck", "triangle": "Dreieck", "constant": "gleichbleibend"},
    "kind": {
        "robot": "Einen Roboter",
        "object": "Einen Gegenstand",
        "object that moves": "Einen beweglichen Gegenstand",
        "filter": "Einen Filter",
        "mapping": "Eine Steuerungsart",
        "tool": "Ein Werkzeug",
        "camera": "Eine Kamera",
        "link": "Ein Glied",
    },
    "mode": {
        "off": "aus",
        "powering": "Einschalten",
        "idle": "Bereit",
        "teleoperation": "Fernsteuerung",
        "autonomous": "Eigenfahrt",
        "paused": "Pause",
        "stopped": "Gestoppt",
        "fault": "Störung",
    },
    "body": {"floor": "Boden", "gripper": "Greifer", "load": "Last", "tool": "Werkzeug"},
    "link": {"floor": "Boden", "gripper": "Greifer", "load": "Last", "tool": "Werkzeug"},
}


def _quoted(name: str) -> str:
    return f"„{name}“"


GERMAN = Language(
    code="de",
    title="Deutsch",
    sentences={**_FILTERS, **_MASTERS, **_MODES, **_MOTION, **_TRACKS, **_CELL, **_FILES, **_REFUSALS, **_SERVER},
    directions={
        "along": "daran entlangfahren",
        "apart": "in jede Richtung fahren, die sie nicht näher zusammenbringt",
        "away": "sich entfernen",
        "back": "zurückfahren",
        "back-out": "mit „Rückzug“ herausfahren",
        "inside": "wieder hineinfahren",
        "others": "die anderen Gelenke bewegen",
        "out": "herausfahren",
        "turn-back": "zurückdrehen",
    },
    can="Sie können {ways}.",
    either=" oder ",
    ways={
        "continue": "Setzen Sie die Fahrt fort, sobald wieder Eingaben kommen.",
        "fix": "Beheben Sie die Ursache, dann setzen Sie zurück.",
        "hold-on": "Halten Sie weiter gedrückt; es geht von selbst weiter.",
        "reset": "Drücken Sie Enter zum Zurücksetzen, dann fahren Sie weiter.",
        "reset-power": "Drücken Sie Enter zum Zurücksetzen, dann schalten Sie ihn ein.",
        "reset-world": "Setzen Sie den Roboter oder die Gegenstände zurück, um weiterzumachen.",
    },
    hidden={
        "info": "Wird in einer Prüfung nicht gezeigt.",
        "slow": "Die Bewegung ist verlangsamt.",
        "stop": "Der Roboter hält an.",
        "fault": "Der Roboter hat eine Störung.",
    },
    unsaid="wird in einer Prüfung nicht gezeigt.",
    words=_WORDS,
    named={"joint": _quoted, "link": _quoted, "body": _quoted, "fixture": _quoted},
    decimal=",",
)
