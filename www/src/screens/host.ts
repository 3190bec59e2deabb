/** The host's half of the app, loaded when someone opens a room. */
import "../parts/question-form.ts";
import "./ask.ts";
import "./room.ts";
