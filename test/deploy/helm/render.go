// Renders the templates of a chart as Helm does: Go's text/template, the functions of Sprig, and Helm's own include,
// required, toYaml and toJson. It reads {"folder", "data"} from standard input, with the values already merged, and writes
// the text of each template by its name.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type request struct {
	Folder string                 `json:"folder"`
	Data   map[string]interface{} `json:"data"`
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func toYAML(value interface{}) (string, error) {
	var written bytes.Buffer
	encoder := yaml.NewEncoder(&written)
	encoder.SetIndent(2)
	err := encoder.Encode(value)
	return strings.TrimSuffix(written.String(), "\n"), err
}

func toJSON(value interface{}) (string, error) {
	written, err := json.Marshal(value)
	return string(written), err
}

func main() {
	var asked request
	stop(json.NewDecoder(os.Stdin).Decode(&asked))
	chart := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	// Helm takes these away: a chart must not depend on the machine that renders it.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = toYAML
	functions["toJson"] = toJSON
	functions["include"] = func(name string, data interface{}) (string, error) {
		var written bytes.Buffer
		err := chart.ExecuteTemplate(&written, name, data)
		return written.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	chart.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(asked.Folder, "templates", "*"))
	stop(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		stop(err)
		_, err = chart.New(filepath.Base(file)).Parse(string(text))
		stop(err)
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var written bytes.Buffer
		stop(chart.ExecuteTemplate(&written, name, asked.Data))
		rendered[name] = written.String()
	}
	stop(json.NewEncoder(os.Stdout).Encode(rendered))
}
